import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const site = dirname(dirname(fileURLToPath(import.meta.url)))
const docs = join(site, '..', 'docs')
const json = (name) => JSON.parse(readFileSync(join(site, name), 'utf8'))
const parts = json('navigation.json')
const versions = json('versions.json')

/** That of the dashboard. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14532d"/>' +
  '<path d="M8 24 14 8l3 6 7-3-6 13z" fill="#bbf7d0"/></svg>'

/** Where the sources are shown, such as https://host/pawl/blob/main/; without it, links to them become text. */
const sources = process.env.PAWL_SOURCES

/** A new decision needs no entry: its file is one. */
const decisions = readdirSync(join(docs, 'decisions'))
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => ({
    text: name.slice(0, 3) + ' ' + readFileSync(join(docs, 'decisions', name), 'utf8').match(/^# (?:\d+[.:]? )?(.*)$/m)[1],
    link: '/decisions/' + name.replace(/\.md$/, ''),
  }))
parts.inside.push({ text: 'Decisions', collapsed: true, items: decisions })

const first = (part) => parts[part][0].items[0].link
const sidebar = Object.fromEntries(Object.entries(parts).map(([part, groups]) => ['/' + part + '/', groups]))
sidebar['/decisions/'] = parts.inside

/** Pages link to files of the repository, which are no part of the site. */
function linksToSources(markdown) {
  const open = markdown.renderer.rules.link_open
  markdown.core.ruler.push('links-to-sources', (state) => {
    const page = state.env.realPath ?? state.env.path
    for (const block of state.tokens) {
      const dropped = []
      for (const token of block.children ?? []) {
        if (token.type === 'link_close' && dropped.pop()) {
          token.type = 'text'
          token.content = ''
        }
        if (token.type !== 'link_open') {
          continue
        }
        const href = token.attrGet('href')
        const [name, hash] = href.split('#')
        const file = posix.join(dirname(page), name)
        if (file === join(docs, 'README.md')) {
          token.attrSet('href', posix.relative(dirname(page), join(docs, 'index.md')) + (hash ? '#' + hash : ''))
        }
        const inSite = /^[a-z]+:/.test(href) || !name || (file.startsWith(docs + '/') && file.endsWith('.md'))
        if (inSite) {
          dropped.push(false)
        } else if (sources) {
          token.attrSet('href', new URL(posix.relative(posix.join(docs, '..'), file), sources) + (hash ? '#' + hash : ''))
          dropped.push(false)
        } else {
          token.type = 'text'
          token.content = ''
          dropped.push(true)
        }
      }
    }
  })
  markdown.renderer.rules.link_open = open
}

/** The anchors of headings are those of the pages in the repository. */
const slugify = (heading) =>
  heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

/** Runs in the browser: who searches wants to do something before knowing why. */
const usersFirst = (page) => (/\/(start|guides)\//.test(page) ? 4 : /\/reference\//.test(page) ? 2 : 1)

/** The pages lie outside this folder, where Node finds no packages. */
const packagesForPages = {
  name: 'packages-for-pages',
  enforce: 'pre',
  resolveId(id, importer) {
    return id.startsWith('vue') && importer?.startsWith(docs) ? this.resolve(id, join(site, 'package.json'), { skipSelf: true }) : null
  },
}

export default defineConfig({
  title: 'Pawl',
  description: 'A job queue in the SQL database that you already have',
  srcDir: '../docs',
  rewrites: { 'README.md': 'index.md' },
  base: process.env.PAWL_BASE ?? '/', // one folder for each version
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: 'data:image/svg+xml,' + encodeURIComponent(icon) }]],
  cleanUrls: true,
  lastUpdated: false,
  markdown: { config: linksToSources, anchor: { slugify } },
  vite: { plugins: [packagesForPages], build: { chunkSizeWarningLimit: 3000 } },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument: usersFirst } } } },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: first('start'), activeMatch: '^/start/' },
      { text: 'Guides', link: first('guides'), activeMatch: '^/guides/' },
      { text: 'Reference', link: first('reference'), activeMatch: '^/reference/' },
      { text: 'Inside', link: first('inside'), activeMatch: '^/(inside|decisions)/' },
      { text: versions[0].text, items: versions },
    ],
    sidebar,
  },
})
