
// Loads the explorer's scripts in this order. The page's policy allows no request to a network.
for (const file of SCRIPTS) {
  const script = document.createElement("script");
  script.src = file;
  script.async = false;
  document.head.append(script);
}
