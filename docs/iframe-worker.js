// The search of a site that is read from files: browsers start no workers there, so the worker's script runs in a frame.
"use strict";
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = `<script src="${new URL(url, location)}"></script>`;
      this.inner = new Promise(resolve => frame.addEventListener("load", () => {
        frame.contentWindow.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
        resolve(frame.contentWindow);
      }));
      document.body.append(frame);
    }

    postMessage(data) {
      this.inner.then(worker => worker.dispatchEvent(new worker.MessageEvent("message", { data })));
    }
  };
}
