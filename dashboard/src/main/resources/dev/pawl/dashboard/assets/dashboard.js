// Everything works without this file. With it, pages are live and have keys.
'use strict';
(() => {
  const EVERY = 3000;
  const live = () => document.getElementById('live');
  const button = document.getElementById('live-switch');
  let on = sessionStorage.getItem('pawl-live') !== 'off';

  // Not while somebody is about to press something, or to write.
  const busy = () => {
    const place = live();
    const focused = document.activeElement;
    return place.querySelector('details[open]') !== null
      || place.querySelector('form:hover') !== null
      || (place.contains(focused) && /^(INPUT|SELECT|TEXTAREA)$/.test(focused.tagName))
      || !document.getSelection().isCollapsed;
  };

  let answered = true;
  const show = () => {
    button.hidden = false;
    button.textContent = !on ? 'paused' : answered ? 'live' : 'no answer';
    button.classList.toggle('bad', on && !answered);
    button.setAttribute('aria-pressed', String(on));
  };
  const turn = () => {
    on = !on;
    sessionStorage.setItem('pawl-live', on ? 'on' : 'off');
    show();
  };

  if (button && live()) {
    show();
    button.addEventListener('click', turn);
    let waiting = false;
    let asked = Date.now();
    let next = asked + EVERY;
    // What is on the page stays, and looks old, when nothing comes, or something else than a page, as from a proxy.
    document.addEventListener('htmx:error', (event) => {
      if (event.target.id === 'live') answered = false;
    });
    document.addEventListener('htmx:after:request', (event) => {
      if (event.target.id !== 'live') return;
      answered = event.detail.ctx.text.includes('id="live"');
      if (!answered) event.preventDefault();
    });
    document.addEventListener('htmx:finally:request', (event) => {
      if (event.target.id === 'line-filter') return; // what may be typed, not the page
      show();
      // What takes long is asked for less often.
      next = Date.now() + Math.max(EVERY, Math.min(60000, 5 * (Date.now() - asked)));
      waiting = false;
    });
    const look = () => {
      const now = Date.now();
      if (waiting && now - asked > 60000) waiting = false;
      if (waiting && answered && now - asked > 10000) {
        answered = false;
        show();
      }
      if (on && !waiting && now >= next && !document.hidden && live() && !busy()) {
        waiting = true;
        asked = now;
        next = now + EVERY;
        live().dispatchEvent(new CustomEvent('pawl-live'));
      }
    };
    setInterval(look, 500);
    document.addEventListener('visibilitychange', look);
  }

  // On a phone the pages are a line that scrolls.
  const here = document.querySelector('nav a[aria-current]');
  if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 40;

  // Two clicks are one.
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post') return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
  window.addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  });

  let before = '';
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const last = before;
    before = event.key;
    if (last === 'g') {
      const link = document.querySelector('nav a[data-key="' + CSS.escape(event.key) + '"]');
      if (link) { event.preventDefault(); link.click(); }
      before = '';
    } else if (event.key === '/') {
      const field = document.querySelector('main form input:not([type=hidden]), main form select');
      if (field) { event.preventDefault(); field.focus(); }
    } else if (event.key === 'p' && button && !button.hidden) {
      turn();
    } else if (event.key === '?') {
      document.getElementById('help').showModal();
    }
  });
})();
