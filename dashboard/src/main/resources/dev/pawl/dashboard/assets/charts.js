// Shows the value of a chart at the pointer: its moment, and the value of each curve.
'use strict';
(() => {
  const clear = (figure) => {
    for (const old of figure.querySelectorAll('.tip, .cross')) old.remove();
  };
  const nearest = (places, x) => places.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(places[best] - x) ? i : best), 0);
  const show = (figure, chart, event) => {
    const box = chart.getBoundingClientRect();
    const samples = figure.parentElement.dataset;
    const places = samples.places.split(' ').map(Number);
    const at = nearest(places, ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width);
    const cross = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    cross.setAttribute('class', 'cross');
    for (const [name, value] of Object.entries({ x1: places[at], x2: places[at], y1: 8, y2: 128 })) cross.setAttribute(name, value);
    chart.append(cross);
    const tip = document.createElement('div');
    tip.className = 'tip';
    tip.setAttribute('aria-hidden', 'true');
    tip.textContent = [samples.moments.split('|')[at]]
      .concat([...chart.querySelectorAll('[data-values]')].map((curve) => curve.dataset.name + ' ' + curve.dataset.values.split('|')[at]))
      .join(' \u00b7 ');
    figure.append(tip);
    const left = box.left - figure.getBoundingClientRect().left + (places[at] / chart.viewBox.baseVal.width) * box.width;
    tip.style.left = Math.max(4, Math.min(figure.clientWidth - tip.offsetWidth - 4, left - tip.offsetWidth / 2)) + 'px';
  };
  document.addEventListener('pointermove', (event) => {
    for (const other of document.querySelectorAll('figure:has(.tip)')) clear(other);
    const chart = event.target instanceof Element && event.target.closest('.charts svg');
    if (chart) show(chart.closest('figure'), chart, event);
  });
})();
