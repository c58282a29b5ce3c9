// Everything works without this file. With it, pages are live and have keys.
'use strict';
(() => {
  const EVERY = 3000;
  const live = () => document.getElementById('live');
  const button = document.getElementById('live-switch');
  let on = sessionStorage.getItem('pawl-live') !== 'off';

  // The reason not to update the page now; empty if there is none.
  const busy = () => {
    const place = live();
    const focused = document.activeElement;
    if (place.querySelector('details[open]') || document.querySelector('#incidents details[open]')) return 'a detail is open';
    if (place.querySelector('.pick input:checked')) return 'rows are selected';
    if (place.contains(focused) && /^(INPUT|SELECT|TEXTAREA)$/.test(focused.tagName) && focused.type !== 'checkbox') return 'a field is being filled in';
    if (!document.getSelection().isCollapsed) return 'text is selected';
    if (document.querySelector('#live form:hover, #live summary:hover, #incidents form:hover, #incidents summary:hover')) return 'the pointer is on a button';
    if (document.querySelector('#live a:hover, #incidents a:hover')) return 'the pointer is on a link';
    return '';
  };

  let answered = true;
  const show = () => {
    const why = on ? busy() : '';
    button.hidden = false;
    const text = !on ? 'paused' : !answered ? 'no answer' : why ? 'paused: ' + why : 'live';
    if (button.textContent !== text) button.textContent = text;
    button.classList.toggle('bad', on && !answered);
    button.classList.toggle('waits', on && answered && why !== '');
    button.setAttribute('aria-pressed', String(on));
  };
  const turn = () => {
    on = !on;
    sessionStorage.setItem('pawl-live', on ? 'on' : 'off');
    show();
  };

  // Keeps the row under the pointer in place when rows above it are added or removed.
  let pointer = null;
  document.addEventListener('pointermove', (event) => { pointer = [event.clientX, event.clientY]; });
  document.documentElement.addEventListener('pointerleave', () => { pointer = null; });
  let kept = null;
  const keep = () => {
    const under = pointer && document.elementFromPoint(...pointer);
    const row = under && live().contains(under) && under.closest('[id]:not(#live)');
    kept = row ? { id: row.id, top: row.getBoundingClientRect().top } : null;
  };
  const restore = () => {
    const row = kept && document.getElementById(kept.id);
    if (row) window.scrollBy(0, row.getBoundingClientRect().top - kept.top);
    kept = null;
  };

  if (button && live()) {
    show();
    button.addEventListener('click', turn);
    let waiting = false;
    let asked = Date.now();
    let next = asked + EVERY;
    // Keeps the page, marked as outdated, if there is no answer, or one that is not a page, as from a proxy.
    document.addEventListener('htmx:error', (event) => {
      if (event.target.id === 'live') answered = false;
    });
    document.addEventListener('htmx:after:request', (event) => {
      if (event.target.id !== 'live') return;
      answered = event.detail.ctx.text.includes('id="live"');
      if (!answered) event.preventDefault();
      // The pointer or the focus may have moved since the request.
      else if (!on || busy()) event.preventDefault();
      else keep();
    });
    document.addEventListener('htmx:after:swap', restore);
    document.addEventListener('htmx:finally:request', (event) => {
      if (event.target.id === 'line-filter') return; // completions, not the page
      show();
      // Slow pages are requested less often.
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
      show();
    };
    for (const what of ['pointerover', 'focusin', 'toggle', 'selectionchange']) document.addEventListener(what, show, true);
    setInterval(look, 500);
    document.addEventListener('visibilitychange', look);
  }

  // After a change the focus returns to the first button of the row, which is described by the result.
  const said = document.getElementById('said');
  const goOn = () => {
    if (document.activeElement !== document.body) return; // the focus is elsewhere already
    let place = null;
    try {
      place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch (malformed) {
      place = null;
    }
    const next = place && (place.querySelector('button, summary') || place.querySelector('a'));
    if (next) {
      next.setAttribute('aria-describedby', 'said');
      next.focus();
    } else {
      said.tabIndex = -1;
      said.focus();
    }
  };
  // Deferred, because the browser removes the focus when it scrolls to the row of the address.
  if (said) window.addEventListener('load', () => setTimeout(goOn, 100));

  const forget = (form) => {
    for (const mistake of form.querySelectorAll('.mistake')) mistake.remove();
    for (const field of form.querySelectorAll('[aria-invalid]')) {
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-describedby');
    }
  };

  // The field with the mistake: named by the server, or by the message.
  const fieldOf = (form, name, text) => {
    const fields = [...form.elements].filter((field) => field.name && field.type !== 'hidden');
    return fields.find((field) => field.name === name)
      || fields.find((field) => new RegExp('(^|\\W)' + field.name + '(\\W|$)').test(text))
      || fields.find((field) => field.value && text.includes(field.value));
  };

  const mistaken = (form, name, text) => {
    forget(form);
    const field = fieldOf(form, name, text);
    const mistake = document.createElement('span');
    mistake.className = 'mistake';
    mistake.id = 'mistake';
    mistake.setAttribute('role', 'alert');
    mistake.textContent = text;
    const target = field || form.querySelector('button');
    (field ? field.closest('label') || form : form).append(mistake);
    if (field) field.setAttribute('aria-invalid', 'true');
    target.setAttribute('aria-describedby', 'mistake');
    target.focus();
  };

  // After a mistake the filled-in form stays. Without a script the browser's back button has that effect.
  const send = async (form) => {
    try {
      const answer = await fetch(form.action, {
        method: 'POST',
        body: new URLSearchParams(new FormData(form)),
        headers: { 'Pawl-Form': '1' },
        redirect: 'manual',
      });
      const to = answer.headers.get('Pawl-Location');
      if (to) {
        const same = new URL(to, location.href);
        if (same.pathname + same.search === location.pathname + location.search) {
          location.hash = same.hash;
          location.reload();
        } else {
          location.assign(to);
        }
        return;
      }
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const why = page.querySelector('.said.bad');
      mistaken(form, answer.headers.get('Pawl-Field') || '', why ? why.textContent : 'It was not done: the answer was ' + answer.status + '.');
    } catch (failure) {
      mistaken(form, '', 'No answer from the dashboard: nothing is known about the change.');
    }
    delete form.dataset.sent;
  };

  // Ignores the second click of a double click.
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post') return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = 'yes';
    if (form.matches('.fields') && !new URL(form.action).pathname.endsWith('/login')) {
      event.preventDefault();
      send(form);
    }
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
