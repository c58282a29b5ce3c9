package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.EnqueueOptions;
import dev.pawl.JobRequest;
import dev.pawl.JobState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a real browser, where this machine has one: what scripts do. */
class BrowserTest {
    private final Site site = Site.onSqlite(options -> options);
    private String program = "";

    @BeforeEach
    void findABrowser() {
        assumeTrue(
                Browser.program().isPresent(),
                "there is no chromium, chromium-browser or google-chrome on the PATH: pages are not tried in a browser");
        program = Browser.program().orElseThrow();
    }

    @AfterEach
    void close() {
        site.close();
    }

    private long enqueue() {
        return site.queue()
                .enqueue(new JobRequest("mail.send", "{\"to\":\"<b>ada</b>\"}", EnqueueOptions.DEFAULTS.queue("mail")))
                .jobId();
    }

    @Test
    void aPageFollowsWhatHappensAndLeavesPeopleAlone() throws Exception {
        enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/queues");
            String row = "document.querySelector('#queue-mail td').textContent";
            assertThat(browser.is(row + " === '1'")).isTrue();
            enqueue();
            await().atMost(Site.SOON).until(() -> browser.is(row + " === '2'"));

            browser.evaluate("document.getElementById('live-switch').click()");
            enqueue();
            browser.evaluate("window.before = document.querySelector('#queue-mail')");
            assertThat(browser.is("document.getElementById('live-switch').textContent === 'paused'"))
                    .isTrue();
            browser.evaluate("document.getElementById('live-switch').click()");
            await().atMost(Site.SOON).until(() -> browser.is(row + " === '3'"));
            // Morphed in place: whoever points at a row does not lose it.
            assertThat(browser.is("window.before === document.querySelector('#queue-mail')"))
                    .isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Or somebody looks at a page that looks live, and is an hour old. */
    @Test
    void aPageSaysThatNothingAnswersAndKeepsWhatItHas() throws Exception {
        enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/queues");
            String row = "document.querySelector('#queue-mail td')?.textContent";
            String button = "document.getElementById('live-switch').textContent";
            for (String answer : List.of(
                    "Promise.reject(new TypeError('the dashboard is gone'))",
                    "Promise.resolve(new Response('<h1>Bad Gateway</h1>', {status: 502}))")) {
                browser.evaluate("window.real ??= window.fetch; window.fetch = () => " + answer);
                await().atMost(Site.SOON).until(() -> browser.is(button + " === 'no answer'"));
                assertThat(browser.is(row + " === '1'")).as(answer).isTrue();
                browser.evaluate("window.fetch = window.real");
                await().atMost(Site.SOON).until(() -> browser.is(button + " === 'live'"));
            }
            enqueue();
            await().atMost(Site.SOON).until(() -> browser.is(row + " === '2'"));
        }
    }

    @Test
    void buttonsAndKeysWork() throws Exception {
        long id = enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/jobs/" + id);
            browser.evaluate("document.querySelector('details.sure summary').click()");
            browser.evaluate("document.querySelector('details.sure form').requestSubmit()");
            await().atMost(Site.SOON)
                    .until(
                            () -> browser.is(
                                    // complete: keys do nothing before the page's script has run
                                    "document.readyState === 'complete' && (document.querySelector('.said')?.textContent.includes('is cancelled') ?? false)"));
            assertThat(site.queue().admin().find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            assertThat(browser.is("location.pathname === '/jobs/" + id + "'")).isTrue();
            browser.evaluate(
                    "for (const key of ['g', 'q']) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("location.pathname === '/queues' && document.readyState === 'complete'"));
            browser.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '?', bubbles: true}))");
            assertThat(browser.is("document.getElementById('help').open")).isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
