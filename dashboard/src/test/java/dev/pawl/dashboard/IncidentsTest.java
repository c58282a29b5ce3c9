package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.limit.Subject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every page says about the whole queue: incidents, counts, and why the jobs of a list wait. */
class IncidentsTest {
    private static final JobType<String> MAIL =
            JobType.of("mail.send", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));
    private static final List<String> PAGES = List.of(
            "/",
            "/queues",
            "/queues/one?name=mail",
            "/jobs",
            "/jobs/new",
            "/batches",
            "/workflows",
            "/failures",
            "/schedules",
            "/limits",
            "/workers",
            "/managers",
            "/slots",
            "/database");

    private final Site site = Site.onSqlite(options -> options.samples(false));

    @AfterEach
    void close() {
        site.close();
    }

    private String page(String path) {
        return site.get(path).body();
    }

    @Test
    void nothingIsShownIfNothingIsWrong() {
        for (String path : PAGES) {
            assertThat(page(path)).as(path).contains("<div id=\"incidents\">").doesNotContain("class=\"incidents\"");
        }
    }

    @Test
    void everyPageShowsWhatIsWrongSinceWhenAndWhatToPress() {
        long id = site.queue().enqueue(MAIL, "x").jobId();
        site.queue().admin().queues().pause("mail");
        String until = page("/"); // reads the state, which the other pages then show from the cache
        assertThat(until).contains("jobs wait, and no worker is alive");
        for (String path : PAGES) {
            assertThat(page(path))
                    .as(path)
                    .contains(
                            "<li id=\"incident-NO_WORKER\" class=\"critical\">",
                            "<li id=\"incident-QUEUE_PAUSED\" class=\"warning\">",
                            "queue mail is paused, with 1 job waiting</a> <span class=\"note\">since 2",
                            "action=\"/queues/resume\"");
        }
        String said =
                Site.setCookie(site.submit("/jobs/" + id, "/queues/resume", Map.of("queue", "mail")), "pawl_said");
        assertThat(URLDecoder.decode(said, StandardCharsets.UTF_8)).contains("queue mail is resumed");
        assertThat(page("/")).doesNotContain("incident-QUEUE_PAUSED");
    }

    @Test
    void problemsOfTheSameCauseAreOneIncident() {
        for (String name : List.of("a", "b", "c")) {
            site.queue().enqueue(MAIL, "x", EnqueueOptions.DEFAULTS.queue(name));
            site.queue().admin().queues().pause(name);
        }
        assertThat(page("/"))
                .contains("3 queues with waiting jobs are paused")
                .containsOnlyOnce("id=\"incident-QUEUE_PAUSED\"");
        site.queue().admin().queues().pauseAll();
        // so that the dashboard discards its cached results
        site.submit("/queues", "/queues/pause", Map.of("queue", "d"));
        assertThat(page("/")).contains("all queues are paused, with 3 jobs waiting", "action=\"/queues/resume-all\"");
    }

    @Test
    void theNavigationCounts() {
        for (int i = 0; i < 1_200; i++) {
            site.queue().enqueue(MAIL, "x");
        }
        assertThat(page("/"))
                .contains(
                        "<ul role=\"list\" aria-label=\"Work\">",
                        "<ul role=\"list\" aria-label=\"Structure\">",
                        "<ul role=\"list\" aria-label=\"System\">",
                        "<span class=\"count\">1.2k<span class=\"hide\"> not finished</span></span>");
    }

    @Test
    void jobsOfAListSayWhyTheyWait() {
        site.queue().enqueue(MAIL, "x");
        assertThat(page("/jobs")).contains("no live worker claims from queue mail</a>");
        site.queue().enqueue(MAIL, "x", MAIL.defaults().delay(Duration.ofHours(1)));
        assertThat(page("/jobs?tag=none")).doesNotContain("it is scheduled for later");
        assertThat(page("/jobs?queue=mail")).contains("it is scheduled for later, <time");
        site.submit("/queues", "/queues/pause", Map.of("queue", "mail"));
        assertThat(page("/jobs?kind=mail.send")).contains("queue mail is paused</a>");
        site.submit("/queues", "/queues/resume", Map.of("queue", "mail"));
        assertThat(page("/jobs?kind=mail.send")).contains("no live worker claims from queue mail</a>");
    }

    @Test
    void pausesOfKindsAreReasonsAndIncidents() {
        site.queue().limits().pause(Subject.kind("mail.send"), Duration.ofHours(1), "smtp is down");
        try (Worker worker = Worker.on(site.queue())
                .queues("mail")
                .handle(MAIL, (payload, run) -> {})
                .start()) {
            assertThat(worker.isAlive()).isTrue();
            site.queue().enqueue(MAIL, "x");
            assertThat(page("/jobs?kind=mail.send")).contains("kind mail.send is paused: smtp is down</a>, <time");
            assertThat(page("/"))
                    .contains(
                            "<li id=\"incident-SUBJECT_PAUSED\" class=\"warning\">",
                            "the jobs of kind mail.send are paused until 2",
                            "action=\"/limits/resume\"");
        }
    }

    @Test
    void aQueueHasItsOwnPage() {
        site.queue().enqueue(MAIL, "x");
        assertThat(page("/queues/one?name=mail"))
                .contains(
                        "<h1>Queue mail</h1>",
                        "No live worker claims from this queue",
                        "Neither the queue nor its keys have a limit",
                        "Oldest waiting",
                        "Latest failures",
                        "action=\"/queues/pause\"");
        assertThat(page("/queues/one?name=no+such+queue")).contains("<h1>Queue no such queue</h1>");
        assertThat(site.get("/queues/one").statusCode()).isEqualTo(400);
        assertThat(page("/queues")).contains("href=\"/queues/one?name=mail\"");
    }
}
