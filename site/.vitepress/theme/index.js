import DefaultTheme from 'vitepress/theme'
import './pawl.css'

/** Pictures in tables are small: a click shows one in its size. */
function showInItsSize(event) {
  if (event.target.matches('.vp-doc td img')) {
    window.open(event.target.src)
  }
}

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (!import.meta.env.SSR) {
      document.addEventListener('click', showInItsSize)
    }
  },
}
