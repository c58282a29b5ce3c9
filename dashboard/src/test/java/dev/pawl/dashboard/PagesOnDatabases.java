package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.EnqueueOptions;
import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobRequest;
import dev.pawl.JobState;
import dev.pawl.JobType;
import dev.pawl.Outcome;
import dev.pawl.Slot;
import dev.pawl.Worker;
import dev.pawl.WorkerWish;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.limit.Limit;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.TestServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every page shows what is there, and every button does what it says; on each database. */
abstract class PagesOnDatabases {
    private static final JobType<String> MAIL =
            JobType.of("mail.send", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));

    private Site site;
    private JobQueue queue;

    abstract TestServer server();

    @BeforeEach
    void open() {
        site = new Site(server(), "", options -> options);
        queue = site.queue();
    }

    @AfterEach
    void close() {
        site.close();
    }

    private long enqueue(String payload) {
        return queue.enqueue(MAIL, payload).jobId();
    }

    private Job job(long id) {
        return queue.admin().find(id).orElseThrow();
    }

    private String page(String path) {
        HttpResponse<String> page = site.get(path);
        assertThat(page.statusCode()).as(path + "\n" + page.body()).isEqualTo(200);
        return page.body();
    }

    private String press(String page, String action, Map<String, String> fields) {
        HttpResponse<String> done = site.submit(page, action, fields);
        assertThat(done.statusCode()).as(action + "\n" + done.body()).isEqualTo(303);
        String said = Site.setCookie(done, "pawl_said");
        return java.net.URLDecoder.decode(said, java.nio.charset.StandardCharsets.UTF_8);
    }

    private void work(Outcome outcome) throws InterruptedException {
        try (Worker worker = Worker.on(queue)
                .queues("mail")
                .handleWithOutcome(MAIL, (payload, run) -> {
                    run.log("saw " + payload);
                    if (payload.equals("fail")) {
                        throw new IllegalStateException("the post office is closed");
                    }
                    return outcome;
                })
                .start()) {
            worker.awaitIdle(Duration.ofSeconds(20));
        }
    }

    @Test
    void anEmptyQueueHasAllPages() {
        for (String path : List.of(
                "/",
                "/queues",
                "/jobs",
                "/jobs/new",
                "/failures",
                "/schedules",
                "/limits",
                "/workers",
                "/slots",
                "/database")) {
            assertThat(page(path)).as(path).contains("<h1>", "Skip to the content");
        }
        assertThat(page("/")).contains("Nothing.");
    }

    @Test
    void aJobIsShownWithAllThatHappenedToIt() throws Exception {
        long failing = queue.enqueue(
                        MAIL, "fail", MAIL.defaults().maxAttempts(1).tags("urgent"))
                .jobId();
        work(Outcome.completed());
        assertThat(page("/jobs/" + failing))
                .contains(
                        "discarded",
                        "attempt 1 failed",
                        "the post office is closed",
                        "saw fail",
                        "urgent",
                        "Run again");
        assertThat(page("/failures")).contains("the post office is closed", "mail.send", "1 job failed for good");
        assertThat(page("/")).contains("the post office is closed");
        assertThat(page("/workers")).contains("stopped", "mail.send");
        assertThat(page("/database")).contains("Finished jobs", "mail");
        assertThat(site.get("/jobs/" + failing + "/payload").body()).isEqualTo("\"fail\"");
        assertThat(site.get("/jobs/999999").statusCode()).isEqualTo(404);
    }

    @Test
    void jobsAreFoundAndListedInPages() {
        for (int i = 0; i < 120; i++) {
            enqueue("n" + i);
        }
        long other = queue.enqueue(new JobRequest("other", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
        assertThat(page("/jobs?kind=other"))
                .contains("id=\"job-" + other + "\"")
                .doesNotContain("rel=\"next\"");
        assertThat(page("/jobs?queue=mail&text=n119")).contains("mail.send").containsOnlyOnce("id=\"job-");
        assertThat(page("/jobs?state=completed")).contains("No job matches");
        String path = "/jobs?queue=mail";
        int found = 0;
        while (true) {
            String body = page(path);
            found += body.split("id=\"job-", -1).length - 1;
            var next = java.util.regex.Pattern.compile("href=\"([^\"]+)\" rel=\"next\"")
                    .matcher(body);
            if (!next.find()) {
                break;
            }
            path = next.group(1).replace("&amp;", "&");
        }
        assertThat(found).isEqualTo(120);
        assertThat(site.get("/jobs/go?id=" + other).headers().firstValue("location"))
                .hasValue("/jobs/" + other);
    }

    @Test
    void aJobIsCancelledRetriedAndChanged() {
        long id = enqueue("x");
        String page = "/jobs/" + id;
        assertThat(press(page, page + "/edit", Map.of("payload", "\"y\"", "priority", "7")))
                .contains("changed");
        assertThat(job(id).payload()).isEqualTo("\"y\"");
        assertThat(job(id).priority()).isEqualTo(7);
        assertThat(page(page)).contains("dashboard"); // who has changed it is in its log
        assertThat(press(page, page + "/cancel", Map.of())).contains("job " + id + " is cancelled");
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(press(page, page + "/retry", Map.of("back", page))).contains("available now");
        assertThat(job(id).state()).isEqualTo(JobState.AVAILABLE);
        HttpResponse<String> wrong = site.submit(page, page + "/edit", Map.of("payload", "{not json"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("not JSON");
        assertThat(job(id).payload()).isEqualTo("\"y\"");
    }

    @Test
    void aJobIsEnqueuedAndCopied() {
        long id = enqueue("copied");
        assertThat(page("/jobs/new?copy=" + id)).contains("copied", "mail.send");
        assertThat(press(
                        "/jobs/new",
                        "/jobs",
                        Map.of("kind", "mail.send", "queue", "mail", "payload", "\"typed\"", "tags", "a, b")))
                .contains("is enqueued");
        Job made = queue.admin().list(JobFilter.ALL.tag("b")).get(0);
        assertThat(made.payload()).isEqualTo("\"typed\"");
        assertThat(made.tags()).containsExactly("a", "b");
    }

    @Test
    void allThatMatchAreChangedAfterALookAtTheirNumber() {
        for (int i = 0; i < 30; i++) {
            enqueue("n" + i);
        }
        long other = queue.enqueue(new JobRequest("other", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
        String preview = "/jobs/change?queue=mail&change=cancel";
        assertThat(page(preview)).contains("30 jobs", "Change 30 jobs");
        assertThat(press(preview, "/jobs/change", Map.of("queue", "mail", "change", "cancel", "expected", "2")))
                .contains("many more");
        assertThat(queue.admin().list(JobFilter.ALL.state(JobState.CANCELLED))).isEmpty();
        assertThat(press(preview, "/jobs/change", Map.of("queue", "mail", "change", "cancel", "expected", "30")))
                .contains("30 job(s) changed");
        assertThat(queue.admin().list(JobFilter.ALL.state(JobState.CANCELLED))).hasSize(30);
        assertThat(job(other).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(press(
                        "/jobs/change?state=available&change=move&toQueue=late",
                        "/jobs/change",
                        Map.of("state", "available", "change", "move", "toQueue", "late")))
                .contains("1 job(s) changed");
        assertThat(job(other).queue()).isEqualTo("late");
    }

    @Test
    void theJobsOfACauseRunAgain() throws Exception {
        long failing =
                queue.enqueue(MAIL, "fail", MAIL.defaults().maxAttempts(1)).jobId();
        work(Outcome.completed());
        String group = queue.admin().failures(null, null).get(0).id();
        assertThat(press("/failures", "/failures/retry", Map.of("group", group)))
                .contains("1 job(s) are available now");
        assertThat(job(failing).state()).isEqualTo(JobState.AVAILABLE);
    }

    @Test
    void queuesPauseAndGoOn() {
        enqueue("x");
        assertThat(press("/queues", "/queues/pause", Map.of("queue", "mail"))).contains("mail is paused");
        assertThat(page("/queues")).contains("paused", "Resume");
        assertThat(page("/")).contains("queue mail is paused, with 1 job waiting");
        assertThat(queue.admin().queues().get(0).paused()).isTrue();
        press("/queues", "/queues/resume", Map.of("queue", "mail"));
        assertThat(queue.admin().queues().get(0).paused()).isFalse();
    }

    @Test
    void schedulesAreShownInWordsAndOperated() {
        queue.schedules().add(Schedule.of("nightly", MAIL, "x", Recurrence.cron("0 3 * * *")));
        assertThat(page("/schedules")).contains("at 03:00 every day", "nightly");
        assertThat(page("/schedules/one?name=nightly")).contains("03:00:00 UTC", "It has not been due yet");
        assertThat(press("/schedules", "/schedules/run", Map.of("schedule", "nightly")))
                .contains("is enqueued");
        assertThat(queue.admin().list(JobFilter.ALL)).hasSize(1);
        press("/schedules", "/schedules/pause", Map.of("schedule", "nightly"));
        assertThat(queue.schedules().find("nightly").orElseThrow().pausedAt()).isNotNull();
        press("/schedules", "/schedules/resume", Map.of("schedule", "nightly"));
        press("/schedules", "/schedules/change", Map.of("schedule", "nightly", "recurrence", "every PT5M"));
        assertThat(queue.schedules().find("nightly").orElseThrow().text()).isEqualTo("every PT5M");
        assertThat(page("/schedules/one?name=nightly")).contains("by hand", "every 5 minutes");
    }

    @Test
    void limitsAreSetAndJobsHeldBack() {
        press(
                "/limits",
                "/limits/set",
                Map.of("of", "kind", "name", "mail.send", "atOnce", "3", "starts", "10", "per", "PT1M"));
        Limit limit = queue.limits().list().get(0).limit();
        assertThat(limit).isEqualTo(Limit.kind("mail.send").atOnce(3).rate(10, Duration.ofMinutes(1)));
        press(
                "/limits",
                "/limits/hold",
                Map.of("of", "kind", "name", "mail.send", "for", "PT10M", "reason", "repairs"));
        assertThat(page("/limits")).contains("repairs", "10 in 1 min");
        assertThat(page("/")).contains("held back");
        press("/limits", "/limits/open", Map.of("of", "kind", "name", "mail.send"));
        press("/limits", "/limits/remove", Map.of("of", "kind", "name", "mail.send"));
        assertThat(queue.limits().list()).isEmpty();
    }

    @Test
    void workersAreShownWithWhatTheyRunAndRestAndStop() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        long id = enqueue("x");
        try (Worker worker = Worker.on(queue)
                .queues("mail")
                .handle(MAIL, (payload, run) -> {
                    begun.countDown();
                    end.await();
                })
                .start()) {
            begun.await();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(page("/workers"))
                            .contains("works", "/jobs/" + id + "\"", "worker-" + worker.id()));
            press("/workers", "/workers/" + worker.id() + "/quiet", Map.of());
            assertThat(wish(worker.id())).isEqualTo(WorkerWish.QUIET);
            press("/workers", "/workers/" + worker.id() + "/wake", Map.of());
            assertThat(wish(worker.id())).isEqualTo(WorkerWish.WORK);
            press("/workers", "/workers/" + worker.id() + "/stop", Map.of());
            assertThat(wish(worker.id())).isEqualTo(WorkerWish.STOP);
            end.countDown();
        }
    }

    private WorkerWish wish(long id) {
        return queue.admin().workers().stream()
                .filter(worker -> worker.id() == id)
                .map(WorkerInfo::wish)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReservedSlotIsGivenBack() {
        Slot left = queue.slots().series("codes").numbers(100, 1).reserve();
        queue.slots().series("codes").numbers(100, 1).reserve().use();
        assertThat(page("/slots?series=codes")).contains("Gaps of codes", "100", "reserved", "Give back");
        press("/slots?series=codes", "/slots/free", Map.of("series", "codes", "value", left.value()));
        assertThat(queue.slots().list().get(0).reserved()).isZero();
    }
}
