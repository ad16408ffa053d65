"use strict";
// Tables are sorted by any column. All is there, in a good order, without this.
document.querySelectorAll("table.sortable").forEach(table => {
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const order = new Intl.Collator(undefined, { numeric: true });
  const key = (row, at) => row.cells[at].dataset.sort ?? row.cells[at].textContent.trim();
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    if (a === "" || b === "") return (a === "") - (b === "");
    return Number.isNaN(x) || Number.isNaN(y) ? order.compare(a, b) : x - y;
  };
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      const rows = Array.from(body.rows, row => [key(row, at), row]);
      rows.sort((a, b) => up ? compare(a[0], b[0]) : compare(b[0], a[0]));
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...rows.map(row => row[1]));
    });
  });
});
