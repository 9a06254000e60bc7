
// The explorer: these scripts in this order, before anything is asked of a network, of which the page's policy allows none.
for (const file of SCRIPTS) {
  const script = document.createElement("script");
  script.src = file;
  script.async = false;
  document.head.append(script);
}
