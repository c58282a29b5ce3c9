// Selects rows of a list: all of a page at once, and several between two clicks with Shift.
'use strict';
(() => {
  const boxes = () => [...document.querySelectorAll('.pick input[form]')];
  const show = () => {
    const all = document.getElementById('pick-all');
    const number = document.getElementById('picked');
    const picked = boxes().filter((box) => box.checked).length;
    if (number) number.textContent = picked + (picked === 1 ? ' job' : ' jobs');
    if (!all) return;
    all.hidden = false;
    all.checked = picked > 0 && picked === boxes().length;
    all.indeterminate = picked > 0 && !all.checked;
  };
  let last = null;
  document.addEventListener('click', (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.closest('.pick')) return;
    const list = boxes();
    if (box.id === 'pick-all') {
      for (const each of list) each.checked = box.checked;
    } else if (event.shiftKey && list.includes(last)) {
      const [from, to] = [list.indexOf(last), list.indexOf(box)].sort((one, other) => one - other);
      for (const each of list.slice(from, to + 1)) each.checked = box.checked;
    }
    last = box;
    show();
  });
  document.addEventListener('htmx:after:swap', show);
  window.addEventListener('pageshow', show);
  show();
})();
