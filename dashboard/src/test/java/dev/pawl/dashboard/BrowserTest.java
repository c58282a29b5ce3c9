package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.EnqueueOptions;
import dev.pawl.JobRequest;
import dev.pawl.JobState;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a real browser, where this machine has one: what scripts do, what the policy lets through, and how it looks. */
class BrowserTest {
    private static final List<String> PAGES = List.of(
            "/",
            "/queues",
            "/jobs",
            "/jobs/1",
            "/jobs/new",
            "/jobs/change?change=cancel",
            "/failures",
            "/schedules",
            "/schedules/one?name=nightly",
            "/limits",
            "/workers",
            "/slots",
            "/database");

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

    private void fill() throws InterruptedException {
        JobType<String> type =
                JobType.of("mail.fail", String.class).withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(2));
        site.queue().enqueue(type, "<script>alert(1)</script>");
        try (Worker worker = Worker.on(site.queue())
                .handle(type, (payload, run) -> {
                    run.log("begins");
                    throw new IllegalStateException("the post office is closed");
                })
                .start()) {
            worker.awaitIdle(Duration.ofSeconds(20));
        }
        enqueue();
        site.queue().schedules().add(Schedule.of("nightly", type, "x", Recurrence.cron("0 3 * * *")));
        site.queue().slots().series("codes").numbers(1, 1).reserve();
    }

    /** On each page, wide and narrow, light and dark: nothing is refused, nothing fails, nothing is wider than the screen. */
    @Test
    void pagesWorkUnderTheirPolicyAndFitTheScreen() throws Exception {
        fill();
        for (int width : new int[] {1200, 500}) {
            for (String scheme : List.of("light", "dark")) {
                try (Browser browser = new Browser(
                        program,
                        width,
                        900,
                        "--blink-settings=preferredColorScheme=" + (scheme.equals("dark") ? 0 : 1))) {
                    for (String page : PAGES) {
                        browser.open(site.url() + page);
                        assertThat(browser.is("matchMedia('(prefers-color-scheme: " + scheme + ")').matches"))
                                .isTrue();
                        assertThat(browser.is("document.documentElement.scrollWidth <= innerWidth"))
                                .as(page + " at " + width)
                                .isTrue();
                        String name = page.replaceAll("[^a-z0-9]+", "-") + "-" + width + "-" + scheme + ".png";
                        browser.screenshot(Path.of("target", "screenshots", name));
                    }
                    assertThat(browser.complaints()).isEmpty();
                }
            }
        }
    }

    @Test
    void aPageFollowsWhatHappensAndLeavesPeopleAlone() throws Exception {
        enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/queues");
            String row = "document.querySelector('#queue-mail td').textContent";
            assertThat(browser.is(row + " === '1'")).isTrue();
            enqueue();
            await().atMost(Duration.ofSeconds(30)).until(() -> browser.is(row + " === '2'"));

            browser.evaluate("document.getElementById('live-switch').click()");
            enqueue();
            browser.evaluate("window.before = document.querySelector('#queue-mail')");
            assertThat(browser.is("document.getElementById('live-switch').textContent === 'paused'"))
                    .isTrue();
            browser.evaluate("document.getElementById('live-switch').click()");
            await().atMost(Duration.ofSeconds(30)).until(() -> browser.is(row + " === '3'"));
            // Morphed in place: whoever points at a row does not lose it.
            assertThat(browser.is("window.before === document.querySelector('#queue-mail')"))
                    .isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void buttonsAndKeysWork() throws Exception {
        long id = enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/jobs/" + id);
            browser.evaluate("document.querySelector('details.sure summary').click()");
            browser.evaluate("document.querySelector('details.sure form').requestSubmit()");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> browser.is(
                            "document.querySelector('.said')?.textContent.includes('is cancelled') ?? false"));
            assertThat(site.queue().admin().find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            assertThat(browser.is("location.pathname === '/jobs/" + id + "'")).isTrue();
            browser.evaluate(
                    "for (const key of ['g', 'q']) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> browser.is("location.pathname === '/queues' && document.readyState === 'complete'"));
            browser.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '?', bubbles: true}))");
            assertThat(browser.is("document.getElementById('help').open")).isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
