package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.WaitReason;
import dev.pawl.api.Job;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Formats {@link WaitReason}s with the command that resolves each. */
final class WaitReasonText {
    /** Maximum length of a reason, which may contain text that a program or a person wrote. */
    private static final int MAX_LENGTH = 300;

    private final JobQueue queue;

    WaitReasonText(JobQueue queue) {
        this.queue = queue;
    }

    /** {@return a reason on one line, with the command that resolves it} */
    static String words(Job job, WaitReason reason) {
        String cure = cure(job, reason);
        return words(reason) + (cure.isEmpty() ? "" : ": " + cure);
    }

    private static String words(WaitReason reason) {
        String text = Texts.truncated(TerminalEscapes.line(reason.text()), MAX_LENGTH);
        return text + (reason.until() == null ? "" : ", until " + Texts.time(reason.until()));
    }

    private static String cure(Job job, WaitReason reason) {
        String retry = "pawl retry job " + job.id() + " runs it ";
        return switch (reason.cause()) {
            case ALL_PAUSED -> "pawl resume all";
            case QUEUE_PAUSED -> "pawl resume queue " + job.queue();
            case BATCH_PAUSED -> "pawl resume batch " + reason.about();
            case BATCH_CANARY, BATCH_STOPPED -> "pawl batch " + reason.about();
            case WORKFLOW_PENDING ->
                (reason.about().isEmpty() ? "" : "pawl workflow " + reason.about() + " shows which; ") + retry
                        + "before they have ended";
            case SCHEDULED, RETRY -> retry + "now";
            case SIGNAL -> "pawl signal job " + job.id() + " " + ShellWord.last(reason.about());
            case KEY_OUTAGE -> "pawl resume key " + job.queue() + " " + ShellWord.last(reason.about());
            case KEY_BLOCKED -> "pawl job " + reason.about() + "; " + retry + "out of turn";
            case KEY_RATE -> retry + "out of turn";
            case KEY_RELEASE, QUEUE_WITHOUT_WORKER, KIND_WITHOUT_WORKER -> "pawl work --queues " + job.queue() + " …";
            case WORKERS_QUIET, WORKERS_BUSY -> "pawl workers";
            case OUTAGE -> "pawl resume " + (reason.text().startsWith("queue ") ? "queue " : "kind ") + reason.about();
            case EXPIRED, LIMIT_FULL, RATE, QUEUE_POSITION, NEXT -> "";
        };
    }

    /**
     * {@return which limits and outages keep the jobs of a queue from running: an outage of the queue, and, if jobs wait
     * in it, its limits and the limits and outages of all kinds}
     *
     * @param limits all limits
     */
    static List<String> of(QueueStats queue, List<LimitInfo> limits) {
        boolean waits = queue.available() + queue.delayed() + queue.retrying() > 0;
        return limits.stream()
                .filter(info -> switch (info.limit().subject().of()) {
                    case QUEUE -> isAbout(info, queue) && (waits || info.pause() != null);
                    case KEYS -> isAbout(info, queue) && waits;
                    case KIND -> waits;
                })
                .flatMap(info -> of(info).stream())
                .toList();
    }

    private static boolean isAbout(LimitInfo info, QueueStats queue) {
        return info.limit().subject().name().equals(queue.name());
    }

    /**
     * {@return texts of the limits and outages that keep jobs from running, by a key that stays the same while the times
     * in the text change}
     *
     * @param queues no text is returned unless jobs wait in one of them
     * @param which the queues and kinds to report on
     */
    Map<String, String> ofLimits(List<QueueStats> queues, Predicate<Subject> which) {
        Map<String, String> words = new LinkedHashMap<>();
        if (queues.stream().anyMatch(one -> one.available() + one.delayed() > 0)) {
            for (LimitInfo info : queue.limits().list()) {
                Subject subject = info.limit().subject();
                if (which.test(subject)) {
                    String kind = info.pause() != null ? "outage of " : "limit of ";
                    of(info).forEach(text -> words.putIfAbsent(kind + subject, text));
                }
            }
        }
        return words;
    }

    private static List<String> of(LimitInfo info) {
        Subject subject = info.limit().subject();
        String resume = ": pawl resume " + subject.of().word() + " " + subject.name();
        return WaitReason.ofLimit(info).stream()
                .map(reason -> words(reason) + (reason.cause() == WaitReason.Cause.OUTAGE ? resume : ""))
                .toList();
    }
}
