package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scripts of the pages in a real browser, if one is installed. */
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
    void pagesRefreshWithoutDisturbingUsers() throws Exception {
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
            // Morphed in place, so that the row under the pointer stays.
            assertThat(browser.is("window.before === document.querySelector('#queue-mail')"))
                    .isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Otherwise a page could look live but be an hour old. */
    @Test
    void pagesReportOutagesAndKeepTheirContent() throws Exception {
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
                                    // complete: keys have no effect before the page's script has run
                                    "document.readyState === 'complete' && (document.querySelector('.said')?.textContent.includes('is cancelled') ?? false)"));
            assertThat(site.queue().admin().jobs().find(id).orElseThrow().state())
                    .isEqualTo(JobState.CANCELLED);
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

    private static final String LIVE = "document.getElementById('live-switch').textContent";

    /** Otherwise a paused page would look like a live one. */
    @Test
    void theButtonSaysWhyThePageIsPaused() throws Exception {
        long id = enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/jobs/" + id);
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'live'"));
            browser.evaluate("document.querySelector('details.sure summary').click()");
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'paused: a detail is open'"));
            browser.evaluate("document.querySelector('details.sure summary').click()");
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'live'"));
            browser.point("#live form.action button");
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'paused: the pointer is on a button'"));
            browser.point("#live .lead a");
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'paused: the pointer is on a link'"));
            browser.point("h1");
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'live'"));
            browser.evaluate("getSelection().selectAllChildren(document.querySelector('.lead'))");
            await().atMost(Site.SOON).until(() -> browser.is(LIVE + " === 'paused: text is selected'"));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void rowsUnderThePointerStay() throws Exception {
        for (int i = 10; i < 70; i++) {
            site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue("m" + i)));
        }
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/queues");
            browser.evaluate("document.getElementById('queue-m40').scrollIntoView({block: 'center'})");
            browser.point("#queue-m40 td:nth-child(8)");
            browser.evaluate("window.top40 = document.getElementById('queue-m40').getBoundingClientRect().top");
            site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue("a-new-one")));
            await().atMost(Site.SOON).until(() -> browser.is("document.getElementById('queue-a-new-one') !== null"));
            assertThat(
                            browser.is(
                                    "Math.abs(document.getElementById('queue-m40').getBoundingClientRect().top - window.top40) < 2"))
                    .isTrue();
        }
    }

    /** The bar of incidents is part of every update. */
    @Test
    void incidentsComeAndGoWithoutAReload() throws Exception {
        enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/limits");
            browser.evaluate("window.isSame = true");
            String paused = "document.getElementById('incident-QUEUE_PAUSED') !== null";
            site.queue().admin().queues().pause("mail");
            await().atMost(Site.SOON).until(() -> browser.is(paused + " && window.isSame"));
            site.queue().admin().queues().resume("mail");
            await().atMost(Site.SOON).until(() -> browser.is("!(" + paused + ") && window.isSame"));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void chartsShowTheValuesAtThePointer() throws Exception {
        Story.recentSeries(site);
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/");
            browser.point(".charts figure:last-child svg");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("/^\\d\\d:\\d\\d:\\d\\d · median \\d+ ms · p99 \\d+ ms$/"
                            + ".test(document.querySelector('.tip')?.textContent)"));
            browser.point("h1");
            await().atMost(Site.SOON).until(() -> browser.is("document.querySelector('.tip, .cross') === null"));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void onAPhoneTheNavigationIsAMenuAndRowsAreCards() throws Exception {
        enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.show(390, 900, "light");
            browser.open(site.url() + "/queues");
            String visible = "document.querySelector('#nav a').checkVisibility()";
            assertThat(browser.is("!" + visible)).isTrue();
            browser.evaluate("document.querySelector('.menu summary').click()");
            assertThat(browser.is(visible)).isTrue();
            assertThat(browser.is("getComputedStyle(document.querySelector('#queue-mail')).display === 'grid'"
                            + " && getComputedStyle(document.querySelector('#queue-mail td'), '::before').content"
                            + " === '\"Available\"'"))
                    .isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Otherwise keyboard users would start again at the top of the page. */
    @Test
    void afterAChangeTheFocusIsInTheChangedRow() throws Exception {
        for (String queue : List.of("a", "b", "c")) {
            site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue(queue)));
        }
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/queues");
            browser.evaluate("window.isOld = true;"
                    + " document.getElementById('queue-b').querySelector('form').requestSubmit()");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("!window.isOld && document.readyState === 'complete'"
                            + " && document.activeElement.textContent === 'Resume queue b'"));
            assertThat(browser.is("document.getElementById(document.activeElement.getAttribute('aria-describedby'))"
                            + ".textContent.includes('is paused')"))
                    .isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Otherwise a screen reader would list several buttons by the same name. */
    @Test
    void buttonNamesAreUnique() throws Exception {
        for (String queue : List.of("a", "b", "c")) {
            site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue(queue)));
        }
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/queues");
            assertThat(browser.is("[...document.querySelectorAll('#live button')].map(one => one.textContent).join()"
                            + " === 'Pause queue a,Pause queue b,Pause queue c'"))
                    .isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Regression test: the button that changes all jobs that match looked like any other. */
    @Test
    void buttonsThatChangeManyJobsLookDangerous() throws Exception {
        enqueue();
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.show(1200, 900, "light");
            browser.open(site.url() + "/jobs/change?change=cancel");
            assertThat(browser.evaluate("getComputedStyle(document.querySelector('button.danger')).backgroundColor"))
                    .contains("rgb(179, 38, 30)");
        }
    }

    @Test
    void linksOfOtherSitesKeepTheSession() throws Exception {
        String token = "a-token-of-operators";
        try (Site guarded = Site.onSqlite(options -> options.token(Role.OPERATOR, token));
                Browser browser = new Browser(program, 1200, 900)) {
            browser.open(guarded.url() + "/login");
            browser.evaluate("{ const field = document.querySelector('[name=token]'); field.value = '" + token
                    + "'; field.form.requestSubmit(); }");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("location.pathname === '/' && document.readyState === 'complete'"));
            browser.open("data:text/html,<a href='" + guarded.url() + "/jobs'>jobs</a>");
            await().atMost(Site.SOON).until(() -> browser.is("location.protocol === 'data:'"));
            browser.evaluate("document.querySelector('a').click()");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("location.protocol === 'http:' && document.readyState === 'complete'"));
            assertThat(browser.evaluate("location.pathname")).contains("\"value\":\"/jobs\"");
            assertThat(browser.evaluate("document.querySelector('h1').textContent"))
                    .contains("\"value\":\"Jobs\"");
        }
    }

    @Test
    void mistakesStayInTheirForm() throws Exception {
        try (Browser browser = new Browser(program, 1200, 900)) {
            browser.open(site.url() + "/limits");
            String form = "[...document.forms].find(form => form.action.endsWith('/limits/set'))";
            String field = form + ".elements.namedItem('atOnce')";
            browser.evaluate("window.isOld = true; " + form + ".elements.namedItem('name').value = 'mail'; " + field
                    + ".value = 'many'; " + form + ".requestSubmit()");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("document.activeElement === " + field + " && " + field
                            + ".getAttribute('aria-invalid') === 'true'"));
            assertThat(browser.is("window.isOld && " + field + ".value === 'many' && " + field
                            + ".parentElement.querySelector('.mistake').textContent.includes('whole number')"))
                    .isTrue();
            browser.evaluate(field + ".value = '3'; " + form + ".requestSubmit()");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("!window.isOld && document.readyState === 'complete'"
                            + " && document.querySelector('#said')?.textContent.includes('is set') === true"));
            assertThat(site.queue().limits().list()).hasSize(1);
        }
    }
}
