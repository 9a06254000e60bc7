// A browser lets a page of file:// neither fetch an index nor start a worker, so the search runs in the page there.
if (location.protocol === "file:") {
  const load = (name) =>
    new Promise((done) => {
      const script = document.createElement("script");
      script.src = base_url + "/search/" + name;
      script.onload = done;
      document.head.append(script);
    });

  window.Worker = function () {
    const documents = {};
    let index;
    const begin = async () => {
      await load("lunr.js");
      await load("search_index.js");
      index = lunr(function () {
        this.ref("location");
        this.field("title");
        this.field("text");
        for (const page of searchIndex.docs) {
          this.add(page);
          documents[page.location] = { ...page, summary: page.text.substring(0, 200) };
        }
      });
      this.onmessage({ data: { config: searchIndex.config } });
      this.onmessage({ data: { allowSearch: true } });
    };
    this.postMessage = (message) => {
      if (message.init) begin();
      else this.onmessage({ data: { results: index.search(message.query).map((hit) => documents[hit.ref]) } });
    };
  };
}
