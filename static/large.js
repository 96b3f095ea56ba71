// A tablet that lies on the table stays awake, where its browser lets a page ask for that.
"use strict";
(() => {
  const stayAwake = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
})();
