// Lists a page's violations of the rules for keyboards and screen readers.
(() => {
  const bad = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const told = (one) => one.outerHTML.slice(0, 160);
  const complain = (rule, list) => list.forEach((one) => bad.push(rule + ': ' + told(one)));
  const text = (one) => one.textContent.trim();
  const labelled = (one) => Boolean(
    one.getAttribute('aria-label') || (one.getAttribute('aria-labelledby') || '').split(' ').some((id) => id && document.getElementById(id)));
  const named = (one) => labelled(one) || (one.labels && [...one.labels].some(text));

  if (!document.documentElement.lang || !document.title) bad.push('the page has no language or no title');
  if (all('h1').length !== 1 || all('main').length !== 1) bad.push('there must be one h1 and one main');
  let last = 0;
  for (const heading of all('main h1, main h2, main h3, main h4, main h5, main h6').filter((one) => one.checkVisibility())) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1) bad.push('a level of headings is left out: ' + told(heading));
    if (!text(heading)) bad.push('a heading is empty: ' + told(heading));
    last = level;
  }
  complain('no name', all('input:not([type=hidden]), select, textarea, progress, meter')
    .filter((one) => !named(one) && one.getAttribute('aria-hidden') !== 'true'));
  complain('no text', all('button, a[href], summary').filter((one) => !text(one) && !labelled(one)));
  complain('no name', all('nav, [role=region], [role=group], [role=search], dialog').filter((one) => !labelled(one)));
  complain('no scope', all('th').filter((one) => !one.scope || !text(one)));
  complain('no row of headings', all('table').filter((one) => !one.querySelector('thead th[scope=col]')));
  complain('no text alternative', all('svg').filter((one) => !labelled(one) && one.getAttribute('aria-hidden') !== 'true'));
  complain('no alt', all('img:not([alt])'));
  complain('not reachable to be scrolled', all('.scroll, .graph').filter((one) => one.tabIndex !== 0 || !labelled(one)));
  complain('the order of tabs is forced', all('[tabindex]').filter((one) => one.tabIndex > 0));
  complain('it interrupts', all('[aria-live=assertive], [role=alert]').filter((one) => !one.matches('.said.bad')));
  complain('it is not read out', all('main > .said').filter((one) => !/^(status|alert)$/.test(one.getAttribute('role'))));
  for (const name of ['aria-describedby', 'aria-labelledby', 'list', 'for']) {
    complain(name + ' leads nowhere', all('[' + name + ']').filter((one) =>
      one.getAttribute(name).split(' ').some((id) => id && !document.getElementById(id))));
  }
  const ids = all('[id]').map((one) => one.id);
  ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => bad.push('two have the id ' + id));
  const here = all('nav [aria-current]');
  if (here.length !== 1 || here[0].getAttribute('aria-current') !== 'page') bad.push('the nav does not say which page this is');
  const skip = document.querySelector('a[href]');
  if (!skip.matches('.skip') || !document.querySelector(skip.getAttribute('href')).matches('main[tabindex="-1"]')) {
    bad.push('the first link does not lead to the content');
  }
  return JSON.stringify(bad);
})()
