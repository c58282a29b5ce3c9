package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.WaitReason;
import dev.pawl.api.Job;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reason why a job waits, on its page.
 *
 * @param text for people
 * @param until when it ends by itself; null if unknown
 * @param path of the page with details; empty for none
 * @param isOrdinary whether it resolves without intervention
 */
public record WaitRow(String text, @Nullable Instant until, String path, boolean isOrdinary) {
    static List<WaitRow> all(Job job, List<WaitReason> reasons) {
        return reasons.stream()
                .map(reason -> new WaitRow(
                        Formats.brief(reason.text()),
                        reason.until(),
                        path(job, reason),
                        reason.cause().isOrdinary()))
                .toList();
    }

    private static String path(Job job, WaitReason reason) {
        String about = URLEncoder.encode(reason.about(), StandardCharsets.UTF_8).replace("+", "%20");
        return switch (reason.cause()) {
            case ALL_PAUSED -> "/queues";
            case QUEUE_PAUSED -> "/queues#queue-" + about;
            case BATCH_PAUSED, BATCH_CANARY, BATCH_STOPPED -> about.isEmpty() ? "" : "/batches/" + about;
            case WORKFLOW_PENDING -> about.isEmpty() ? "" : "/workflows/" + about;
            case KEY_BLOCKED -> "/jobs/" + about;
            case KEY_OUTAGE, KEY_RATE, KEY_RELEASE -> about.isEmpty() ? "" : "/jobs?key=" + about;
            case OUTAGE, LIMIT_FULL, RATE -> "/limits";
            case QUEUE_WITHOUT_WORKER, KIND_WITHOUT_WORKER, WORKERS_QUIET, WORKERS_BUSY -> "/workers";
            case QUEUE_POSITION ->
                "/jobs?state=available&queue=" + URLEncoder.encode(job.queue(), StandardCharsets.UTF_8);
            case EXPIRED, SCHEDULED, RETRY, SIGNAL, NEXT -> "";
        };
    }
}
