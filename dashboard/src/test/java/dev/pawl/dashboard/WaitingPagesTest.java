package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Batch;
import dev.pawl.Workflow;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages show why jobs wait, and how many there are. */
class WaitingPagesTest {
    private static final JobType<String> MAIL = JobType.of("mail.send", String.class);

    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    private long enqueue(EnqueueOptions options) {
        return site.queue().enqueue(MAIL, "x", options.queue("mail")).jobId();
    }

    @Test
    void jobsShowWhyTheyWait() {
        long id = enqueue(EnqueueOptions.DEFAULTS);
        site.queue().admin().queues().pause("mail");
        site.queue().limits().pause(Subject.kind("mail.send"), Duration.ofHours(1), "smtp is down");
        String page = site.get("/jobs/" + id).body();
        assertThat(page)
                .contains(
                        "Waits because",
                        "<a href=\"/queues#queue-mail\">queue mail is paused</a>",
                        "no live worker claims from queue mail",
                        "kind mail.send is paused: smtp is down",
                        ", until 2");
        assertThat(site.get("/api/jobs/" + id).body())
                .contains("\"waitReasons\":[{\"cause\":\"queue_paused\",\"text\":\"queue mail is paused\"");
        String said =
                Site.setCookie(site.submit("/jobs/" + id, "/jobs/" + id + "/retry", java.util.Map.of()), "pawl_said");
        assertThat(java.net.URLDecoder.decode(said, java.nio.charset.StandardCharsets.UTF_8))
                .contains("is available now, and waits because queue mail is paused");
        site.queue().admin().jobs().cancel(id);
        assertThat(site.get("/jobs/" + id).body()).doesNotContain("Waits because");
    }

    @Test
    void everyStateHasALabel() {
        enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        enqueue(EnqueueOptions.DEFAULTS.key("ada"));
        long blocked = enqueue(EnqueueOptions.DEFAULTS.key("ada"));
        Batch batch = site.queue().batch("b").canary(1).open();
        enqueue(batch.with(EnqueueOptions.DEFAULTS));
        enqueue(batch.with(EnqueueOptions.DEFAULTS));
        assertThat(site.get("/jobs/" + blocked).body())
                .contains("<span class=\"state blocked\">blocked</span>", "of its key comes before it");
        assertThat(site.get("/jobs").body()).contains(">scheduled<", ">blocked<", ">paused<", ">available<");
        assertThat(site.get("/queues").body())
                .contains("Scheduled", "Retryable", ">Blocked<", ">Pending<")
                .doesNotContain("Delayed");
        assertThat(site.get("/api/queues").body())
                .contains("\"delayed\":4", "\"scheduled\":1", "\"blocked\":2", "\"pausedJobs\":1", "\"atLeast\":false");
    }

    @Test
    void nodesWithOnlyWaitingJobsAreNotRunning() {
        Workflow chain = site.queue()
                .workflow("w")
                .job("first", MAIL, "a")
                .then("second", MAIL, "b")
                .start();
        String page = site.get("/workflows/" + chain.id()).body();
        assertThat(page)
                .contains("<span class=\"state node-available\">available</span>")
                .contains("<span class=\"state node-pending\">pending</span>")
                .contains("first: available")
                .doesNotContain("node-running");
        assertThat(site.get("/api/workflows/" + chain.id()).body())
                .contains("\"name\":\"first\",\"state\":\"available\"", "\"name\":\"second\",\"state\":\"pending\"");
    }

    /** With more than 20,000 rows, counting of each state stops at 10,000. */
    @Test
    void onlyCountsThatStoppedAreMarked() {
        List<String> scheduled = Collections.nCopies(11_000, "n");
        List<String> blocked = Collections.nCopies(9_500, "n");
        EnqueueOptions mail = EnqueueOptions.DEFAULTS.queue("mail");
        var unused = site.queue().enqueueAll(MAIL, scheduled, text -> mail.delay(Duration.ofHours(1)));
        unused = site.queue().enqueueAll(MAIL, blocked, text -> mail.key("k"));
        assertThat(site.get("/queues").body())
                .contains(
                        "data-label=\"Scheduled\">10,000+</td>",
                        "data-label=\"Blocked\">9,500</td>",
                        "data-label=\"Pending\">0</td>");
        assertThat(site.get("/api/queues").body()).contains("\"blocked\":9500", "\"atLeast\":true");
        assertThat(site.get("/api/queues?exact=true").body()).contains("\"scheduled\":11000", "\"atLeast\":false");
    }

    /** The number is exact before a person decides. */
    @Test
    void bulkChangesShowTheNumberOfJobs() {
        var unused = site.queue()
                .enqueueAll(
                        MAIL,
                        IntStream.range(0, 10_001).mapToObj(i -> "n").toList(),
                        text -> EnqueueOptions.DEFAULTS.queue("mail"));
        for (String filter : List.of("", "&queue=mail", "&kind=mail.send")) {
            assertThat(site.get("/jobs/change?change=cancel" + filter).body())
                    .as(filter)
                    .contains(
                            "<p class=\"big\">10,001 jobs</p>",
                            "name=\"expected\" value=\"10001\"",
                            "Cancel 10,001 jobs");
        }
        assertThat(site.get("/api/unattended").body()).contains("\"jobs\":10000", "\"atLeast\":true");
        assertThat(site.get("/").body()).contains("at least 10,000 jobs waiting in queue mail");
    }

    /** Programs are told which field of a form is invalid. */
    @Test
    void mistakesNameTheirField() {
        var refused = site.submit(
                "/limits", "/limits/set", java.util.Map.of("of", "queue", "name", "mail", "atOnce", "many"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Pawl-Field")).hasValue("atOnce");
        assertThat(refused.body()).contains("atOnce");
    }
}
