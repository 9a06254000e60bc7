// Empty; owns the precompiled headers that the tests share.
