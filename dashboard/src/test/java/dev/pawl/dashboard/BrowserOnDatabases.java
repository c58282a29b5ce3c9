package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.admin.Admin;
import dev.pawl.admin.StackRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.WorkerCommand;
import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.process.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every page and every change in a real browser, if one is installed, while a worker runs. */
abstract class BrowserOnDatabases {
    Site site;
    Sample sample;
    Browser browser;
    private final TreeSet<String> pressed = new TreeSet<>();

    abstract TestServer server();

    @BeforeEach
    void open() throws IOException {
        assumeTrue(
                Browser.program().isPresent(),
                "there is no chromium, chromium-browser or google-chrome on the PATH: pages are not tried in a browser");
        site = new Site(server(), "", options -> options.samples(false));
        sample = new Sample(site.queue());
        browser = new Browser(Browser.program().orElseThrow(), 1200, 900);
    }

    @AfterEach
    void close() throws IOException {
        if (browser != null) {
            browser.close();
            sample.close();
            site.close();
        }
    }

    /** {@return all pages, each with content} */
    static List<String> pages(Sample sample) {
        return List.of(
                "/",
                "/queues",
                "/queues/one?name=mail",
                "/jobs",
                "/jobs/" + sample.discarded,
                "/jobs/" + sample.order,
                "/jobs/" + sample.running,
                "/jobs/new",
                "/jobs/change?change=cancel",
                "/batches",
                "/batches/" + sample.batch.id(),
                "/workflows",
                "/workflows/" + sample.workflow.id(),
                "/failures",
                "/schedules",
                "/schedules/one?name=nightly",
                "/limits",
                "/workers",
                "/managers",
                "/slots?series=codes",
                "/database");
    }

    /** Finds the labels of cells without content in cards. */
    private static final String EMPTY_LABELS = "[...document.querySelectorAll('td[data-label]')].filter(cell =>"
            + " cell.checkVisibility() && !cell.textContent.trim() && !cell.querySelector('svg, meter, progress'))"
            + ".map(cell => cell.dataset.label).join()";

    /**
     * On a desktop and a phone, light and dark: nothing is refused, no script fails, nothing is wider than the screen, and
     * no card has a label without a value.
     */
    @Test
    void pagesObeyTheirPolicyAndFitTheScreen() {
        for (String page : pages(sample)) {
            browser.open(site.url() + page);
            for (int width : new int[] {1200, 390}) {
                for (String scheme : List.of("light", "dark")) {
                    browser.show(width, 900, scheme);
                    assertThat(browser.is("matchMedia('(prefers-color-scheme: " + scheme + ")').matches"))
                            .isTrue();
                    assertThat(browser.is("document.querySelector('h1').textContent.length > 0"))
                            .as(page)
                            .isTrue();
                    assertThat(browser.is("document.documentElement.scrollWidth <= " + width))
                            .as(page + " at " + width)
                            .isTrue();
                    assertThat(width == 1200 ? "\"value\":\"\"" : browser.evaluate(EMPTY_LABELS))
                            .as(page + " at " + width)
                            .contains("\"value\":\"\"");
                }
            }
        }
        assertThat(browser.complaints()).isEmpty();
    }

    /** Checks the accessible names, and that every control is reachable by Tab and visible when focused. */
    @Test
    void pagesAreAccessibleByKeyboardAndScreenReader() throws IOException {
        String rules;
        try (InputStream file = BrowserOnDatabases.class.getResourceAsStream("/accessibility.js")) {
            rules = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        browser.open(site.url() + "/");
        browser.evaluate("sessionStorage.setItem('pawl-live', 'off')"); // without updates, the focused element stays
        Map<String, String> complaints = new LinkedHashMap<>();
        for (String page : pages(sample)) {
            browser.open(site.url() + page);
            complaints.put(page, browser.evaluate(rules) + tabbed());
        }
        assertThat(complaints)
                .allSatisfy((page, said) ->
                        assertThat(said).as(page).contains("\"value\":\"[]\"", "\"value\":\"all are reached\""));
    }

    private String tabbed() {
        browser.evaluate(
                "window.usable = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea,"
                        + " summary, [tabindex=\"0\"]')].filter(one => one.checkVisibility() && !one.disabled);"
                        + " window.left = new Set(window.usable); window.unseen = [];");
        String step = "(() => { const here = document.activeElement; window.left.delete(here);"
                + " const look = getComputedStyle(here);"
                + " if (here !== document.body && (look.outlineStyle === 'none' || parseFloat(look.outlineWidth) < 2))"
                + " window.unseen.push(here); return window.left.size === 0 })()";
        for (int presses = 0; presses < 400; presses++) {
            browser.key("Tab", 9);
            if (browser.is(step)) {
                break;
            }
        }
        return browser.evaluate("window.left.size + window.unseen.length === 0 ? 'all are reached' : 'not reached: '"
                + " + [...window.left].slice(0, 5).map(one => one.outerHTML.slice(0, 120)).join() + ' not seen: '"
                + " + window.unseen.slice(0, 5).map(one => one.outerHTML.slice(0, 120)).join()");
    }

    /** The audit log says who made which change, and with what result. */
    @Test
    void changesAndRefusalsAreInTheAuditLog() {
        PrintStream before = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        String page = "/jobs/" + sample.waiting;
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            press(page, page + "/cancel", Map.of(), "is cancelled");
            browser.open(site.url() + page);
            browser.evaluate(
                    "fetch('" + page + "/retry?queue=mail', {method: 'POST'}).then(got => window.got = got.status)");
            awaitThat("window.got === 403");
        } finally {
            System.setErr(before);
        }
        String log = written.toString(StandardCharsets.UTF_8);
        assertThat(log)
                .containsPattern("dev\\.pawl\\.dashboard\\.audit - \\S.*: " + page + "/cancel \\{\\}: job "
                        + sample.waiting + " is cancelled\\R")
                .containsPattern(
                        "dev\\.pawl\\.dashboard\\.audit - \\S.*: " + page + "/retry \\{queue=mail\\}: refused: \\S");
        assertThat(sample.state(sample.waiting)).isEqualTo(JobState.CANCELLED);
    }

    /** Completions are offered after each typed text, and the completed filter is applied. */
    @Test
    void filtersAreCompletedWhileTyping() {
        browser.open(site.url() + "/jobs");
        String options = "[...document.querySelectorAll('#lines option')].map(option => option.value)";
        String find = "window.isOld = true; document.getElementById('line-filter').form.requestSubmit()";
        String found = "!window.isOld && document.readyState === 'complete' && ";
        assertThat(browser.is(options + ".includes('state:')")).isTrue();
        browser.evaluate("document.getElementById('line-filter').focus()");
        browser.type("state:av");
        awaitThat(options + ".join() === 'state:available'");
        browser.type("ailable ki");
        awaitThat(options + ".join() === 'state:available kind:'");
        browser.type("nd:mail");
        awaitThat(options + ".join() === 'state:available kind:mail.send'");
        assertThat(browser.is("document.getElementById('line-filter').list.id === 'lines'"))
                .isTrue();
        browser.type(".send tag:\"news\"");
        browser.evaluate(find);
        awaitThat(found + "document.querySelectorAll('tr[id^=job-]').length === 1" + " && document.querySelector('#job-"
                + sample.waiting + "') !== null");
        assertThat(
                        browser.is(
                                "document.getElementById('line-filter').value === 'state:available kind:mail.send tag:\"news\"'"))
                .isTrue();
        assertThat(browser.complaints()).isEmpty();
        browser.evaluate("document.getElementById('line-filter').focus()");
        browser.type(" nothing:<b>");
        browser.evaluate(find);
        awaitThat(found + "document.getElementById('line-problem') !== null");
        assertThat(browser.is(
                        "document.getElementById('line-problem').textContent.includes(\"'nothing' at character 43\")"))
                .isTrue();
        // The browser only reports the refused page: no resource was blocked.
        assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("400"));
    }

    private void awaitThat(String expression) {
        await().atMost(Site.SOON).until(() -> browser.is(expression));
    }

    void press(String page, String action, Map<String, String> fields, String says) {
        String said = browser.press(site.url() + page, action, fields);
        assertThat(said).as(page + ", " + action).contains(says);
        pressed.add(action.replaceFirst("/[0-9]+", "/{id}"));
    }

    /** Each form is filled in and submitted like a person does; none is omitted. */
    @Test
    void everyChangeWorksInABrowser() {
        String waiting = "/jobs/" + sample.waiting;
        press(waiting, waiting + "/edit", Map.of("priority", "7"), "is changed");
        assertThat(site.queue()
                        .admin()
                        .jobs()
                        .find(sample.waiting)
                        .orElseThrow()
                        .priority())
                .isEqualTo(7);
        String order = "/jobs/" + sample.order;
        press(order, order + "/signal", Map.of("name", "approved", "value", "\"yes\""), "is delivered");
        await().atMost(Site.SOON)
                .untilAsserted(() -> assertThat(sample.state(sample.order))
                        .as(() -> site.queue().admin().jobs().find(sample.order) + ", "
                                + site.queue().admin().jobs().steps(sample.order) + ", "
                                + site.queue().admin().runs().failedAttempts(sample.order, Admin.UNLIMITED))
                        .isEqualTo(JobState.COMPLETED));
        String running = "/jobs/" + sample.running;
        press(running, running + "/stack", Map.of(), "is requested from its worker");
        browser.open(site.url() + running);
        await().atMost(Site.SOON) // the page refreshes by itself
                .until(() -> browser.is("document.querySelector('#stack').textContent.includes('CountDownLatch')"));
        press(waiting, waiting + "/cancel", Map.of(), "is cancelled");
        press(waiting, waiting + "/retry", Map.of(), "is available now");
        press("/jobs/new", "/jobs", Map.of("kind", "mail.send", "payload", "\"typed\""), "is enqueued");
        int before = site.queue()
                .admin()
                .runs()
                .failedAttempts(sample.retrying, Admin.UNLIMITED)
                .size();
        press("/failures", "/failures/retry", Map.of(), "available now");
        await().atMost(Site.SOON)
                .until(() -> site.queue()
                                        .admin()
                                        .runs()
                                        .failedAttempts(sample.retrying, Admin.UNLIMITED)
                                        .size()
                                > before
                        && sample.state(sample.retrying) == JobState.AVAILABLE);
        press("/failures", "/failures/cancel", Map.of(), "are cancelled");
        assertThat(sample.state(sample.retrying)).isEqualTo(JobState.CANCELLED);
        press("/jobs/change?change=delete&state=cancelled", "/jobs/change", Map.of(), "1 job(s) changed");
        singleJobs();

        press("/queues", "/queues/pause", Map.of("queue", "mail"), "is paused");
        press("/queues", "/queues/resume", Map.of(), "is resumed");
        press("/queues", "/queues/pause-all", Map.of(), "all queues are paused");
        press("/queues", "/queues/resume-all", Map.of(), "all queues run again");
        press("/schedules", "/schedules/run", Map.of(), "is enqueued");
        press("/schedules/one?name=nightly", "/schedules/pause", Map.of(), "is paused");
        press("/schedules/one?name=nightly", "/schedules/resume", Map.of(), "is resumed");
        press(
                "/schedules/one?name=nightly",
                "/schedules/change",
                Map.of("recurrence", "every PT5M"),
                "every 5 minutes");
        press("/limits", "/limits/set", Map.of("of", "kind", "name", "report.build", "atOnce", "2"), "is set");
        press("/limits", "/limits/pause", Map.of("of", "kind", "name", "report.build"), "are paused");
        press("/limits", "/limits/resume", Map.of(), "are resumed");
        press("/limits", "/limits/remove", Map.of(), "is removed");
        press("/slots?series=codes", "/slots/free", Map.of(), "is free again");

        String batch = "/batches/" + sample.batch.id();
        press(batch, batch + "/pause", Map.of(), "is paused");
        press(batch, batch + "/resume", Map.of(), "is resumed");
        press(batch, batch + "/cancel", Map.of(), "are cancelled");
        press(batch, batch + "/seal", Map.of(), "is sealed");
        assertThat(sample.batch.info().orElseThrow().isDone()).isTrue();

        String workflow = "/workflows/" + sample.workflow.id();
        press(workflow, workflow + "/cancel", Map.of(), "3 job(s)");

        String worker = "/workers/" + sample.workerId();
        press("/workers", worker + "/pause", Map.of(), "claims no more");
        press("/workers", worker + "/resume", Map.of(), "claims jobs again");
        press("/workers", worker + "/scale", Map.of("concurrency", "2"), "runs 2 jobs at once");
        press("/queues/one?name=mail", "/queues/scale", Map.of("concurrency", "3"), "runs 3 at once");
        press("/workers", worker + "/stop", Map.of(), "stops");
        assertThat(site.queue().admin().workers().list().get(0).command()).isEqualTo(WorkerCommand.STOP);

        List<String> all = site.dashboard().routes().stream()
                .filter(route -> route.startsWith("POST ") && !route.contains(" /api/"))
                .map(route -> route.substring("POST ".length()))
                .toList();
        assertThat(pressed).containsExactlyInAnyOrderElementsOf(all);
        assertThat(browser.complaints()).isEmpty();
    }

    /** Single jobs are moved, deleted and erased, and selected rows are cancelled together. */
    private void singleJobs() {
        long moved = enqueueLate();
        press("/jobs/" + moved, "/jobs/" + moved + "/move", Map.of("toQueue", "later"), "is moved to queue later");
        press("/jobs/" + moved, "/jobs/" + moved + "/cancel", Map.of(), "is cancelled");
        press("/jobs/" + moved, "/jobs/" + moved + "/delete", Map.of(), "is deleted");
        long erased = enqueueLate();
        press("/jobs/" + erased, "/jobs/" + erased + "/erase", Map.of(), "is erased");
        assertThat(site.queue().admin().jobs().find(erased)).isEmpty();
        long first = enqueueLate();
        long second = enqueueLate();
        browser.open(site.url() + "/jobs?tag=late");
        awaitThat("!document.getElementById('pick-all').hidden");
        assertThat(browser.is("getComputedStyle(document.getElementById('selected')).display === 'none'"))
                .isTrue();
        browser.evaluate("document.getElementById('pick-all').click()");
        awaitThat("document.getElementById('picked').textContent === '2 jobs'"
                + " && getComputedStyle(document.getElementById('selected')).display === 'flex'");
        awaitThat("document.getElementById('live-switch').textContent === 'paused: rows are selected'");
        browser.evaluate("window.isOld = true; const form = document.getElementById('selected');"
                + " form.requestSubmit(form.querySelector('[value=cancel]'))");
        awaitThat("!window.isOld && document.readyState === 'complete' && document.querySelector('.said') !== null");
        assertThat(browser.evaluate("document.querySelector('.said').textContent"))
                .contains("2 job(s) changed: cancel");
        pressed.add("/jobs/selected");
        assertThat(sample.state(first)).isEqualTo(JobState.CANCELLED);
        assertThat(sample.state(second)).isEqualTo(JobState.CANCELLED);
    }

    private long enqueueLate() {
        return site.queue()
                .enqueue(
                        Sample.MAIL,
                        "late@example.com",
                        Sample.MAIL.defaults().delay(Duration.ofDays(2)).tags("late"))
                .jobId();
    }

    private void awaitState(long job, JobState state) {
        String shown = "document.querySelector('.lead .state').textContent.trim() === '"
                + state.name().toLowerCase(Locale.ROOT) + "'";
        // twice as long, because the page shows a state only after it has refreshed by itself
        await().atMost(Site.SOON.multipliedBy(2)).until(() -> browser.is(shown) && sample.state(job) == state);
    }

    /** The job is rescued, and no page claims that a killed worker is running, whatever buttons are pressed in between. */
    @Test
    @FullTier(group = "PAWL_KILLS")
    void pagesAreCorrectWhileWorkersAreKilled() {
        String text = "document.body.innerText.includes('%s')";
        long id = site.queue().enqueue(KillableWorker.LETTER, "to Ada").jobId();
        String page = "/jobs/" + id;
        browser.open(site.url() + page);
        try (JavaProcess mortal = JavaProcess.start(KillableWorker.class, Map.of(), site.jdbcUrl(), "hang")) {
            awaitState(id, JobState.RUNNING);
            mortal.kill();
            StackRequest asked = site.queue()
                    .admin()
                    .runs()
                    .requestStackTrace(id); // its lease has not expired, unless the machine stood still
            press("/queues", "/queues/pause", Map.of("queue", "mail"), "is paused");
            browser.open(site.url() + page);
            awaitState(id, JobState.AVAILABLE);
            if (asked == StackRequest.REQUESTED) {
                awaitThat(text.formatted("ended before its worker reported it"));
            }
        }
        press("/queues", "/queues/resume", Map.of("queue", "mail"), "is resumed");
        browser.open(site.url() + page);
        try (JavaProcess heir = JavaProcess.start(KillableWorker.class, Map.of(), site.jdbcUrl())) {
            awaitState(id, JobState.COMPLETED);
            heir.kill();
        }
        int lost =
                site.queue().admin().runs().failedAttempts(id, Admin.UNLIMITED).size();
        assertThat(lost).isPositive();
        awaitThat(text.formatted("attempt 1 failed"));
        awaitThat(text.formatted(lost + 1 + " of 20"));
        assertThat(browser.complaints()).isEmpty();
    }
}
