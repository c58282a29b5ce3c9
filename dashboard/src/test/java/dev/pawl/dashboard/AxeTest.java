package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The rules of axe on every page, wide and narrow, light and dark, if a browser is installed. */
class AxeTest {
    private static final String RUN = "window.violations = null; axe.run(document, {resultTypes: ['violations']})"
            + ".then(found => { window.violations = found.violations.map(one => one.id + ': '"
            + " + one.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')); })"
            + ".catch(failure => { window.violations = [String(failure)]; })";

    private static String axe() throws IOException {
        try (InputStream file = AxeTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pagesHaveNoViolations() throws Exception {
        assumeTrue(Browser.program().isPresent(), "there is no browser on the PATH");
        Map<String, String> violations = new TreeMap<>();
        String axe = axe();
        try (Site site = Site.onSqlite(options -> options.samples(false));
                Sample sample = new Sample(site.queue());
                Browser browser = new Browser(Browser.program().orElseThrow(), 1200, 900)) {
            Story.recentSeries(site);
            site.queue().admin().queues().pause("mail"); // the bar of incidents
            for (String page : BrowserOnDatabases.pages(sample)) {
                browser.open(site.url() + page);
                browser.evaluate("sessionStorage.setItem('pawl-live', 'off')");
                browser.evaluate(axe);
                for (int width : new int[] {1200, 390}) {
                    for (String scheme : List.of("light", "dark")) {
                        browser.show(width, 900, scheme);
                        browser.evaluate(RUN);
                        await().atMost(Site.SOON).until(() -> browser.is("window.violations !== null"));
                        if (!browser.is("window.violations.length === 0")) {
                            violations.put(
                                    page + " " + width + " " + scheme,
                                    browser.evaluate("window.violations.join('\\n')")
                                            .replace("\\n", "\n"));
                        }
                    }
                }
            }
        }
        assertThat(violations).isEmpty();
    }
}
