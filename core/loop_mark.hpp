// Marks on loops whose compiled code is analysed (harness/calibrate/loops.py): which instructions an element costs, and
// how long a core takes for them. A mark is no instruction: it records its position in a section of its own, which is
// not loaded, so the loop that is analysed is the one that runs.
//
//   for (…) {
//     SORTLAB_LOOP("my_sort.append", 1, sizeof(Key), sizeof(Value));  // an element each time it is passed
//     if (full) [[unlikely]] {
//       SORTLAB_RARE();  // off the loop's usual path
//       …
//     }
//   }
//
// Name and arguments together identify the template instance; its copies (inlined in several places, or compiled for
// several instruction sets) share them. A mark keeps compilers from vectorising a loop, so it must not be put into
// loops that rely on autovectorisation; it may also change the code layout around it. Marks are therefore always
// compiled in: what is analysed is what is timed.
#pragma once

#if defined(__GNUC__) && defined(__x86_64__) && defined(__ELF__) && !defined(SORTLAB_NO_LOOP_MARKS)

// "?": in the group of the function, with which linkers drop it where another copy stays. A mark has an address, the
// elements, three arguments and the name.
#define SORTLAB_MARK_(name, elements, first, second, third)                                         \
  asm inline volatile(                                                                              \
      "9471:\n\t.pushsection .sortlab_loops,\"?\",@progbits\n\t.quad 9471b, %c0, %c1, %c2, %c3\n\t" \
      ".asciz \"" name "\"\n\t.popsection" ::"i"(static_cast<long>(elements)),                      \
      "i"(static_cast<long>(first)), "i"(static_cast<long>(second)), "i"(static_cast<long>(third)))

#else
#define SORTLAB_MARK_(name, elements, first, second, third)                                              \
  static_cast<void>(static_cast<long>(elements) + static_cast<long>(first) + static_cast<long>(second) + \
                    static_cast<long>(third))
#endif

/// Marks a loop whose body processes `elements` elements. Takes up to three arguments, compile-time constants, which
/// are 0 where they are left out.
#define SORTLAB_LOOP(name, elements, ...) SORTLAB_LOOP_(name, elements, ##__VA_ARGS__, 0, 0, 0)
#define SORTLAB_LOOP_(name, elements, first, second, third, ...) SORTLAB_MARK_(name, elements, first, second, third)

/// Marks a function that holds no loop worth naming. It is analysed once, from its entry through the mark to its
/// return, by the shortest path and without the functions it calls. Mark only functions that are not inlined.
#define SORTLAB_ONCE(name, elements, ...) SORTLAB_ONCE_(name, elements, ##__VA_ARGS__, 0, 0, 0)
#define SORTLAB_ONCE_(name, elements, first, second, third, ...) \
  SORTLAB_MARK_(name, -static_cast<long>(elements), first, second, third)

/// Marks code off the usual path through a loop.
#define SORTLAB_RARE() SORTLAB_MARK_("", 0, 0, 0, 0)
