"use strict";
// Opens folded sections when the reader follows a link into them.
(function () {
  const open = (hash) => {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    return target;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link) open(link.hash);
  });
  if (location.hash) { const target = open(location.hash); if (target) target.scrollIntoView(); }
}());
