package dev.pawl.metrics;

import dev.pawl.api.Outcome;
import java.util.List;
import java.util.Locale;

/**
 * Names of metrics, labels and spans. Those of OpenTelemetry follow its semantic conventions for messaging, 1.44, which are not stable yet;
 * names outside the conventions begin with {@code pawl}. A new version of Pawl keeps all names, unless its changelog announces a change.
 */
public final class Names {
    /** The instrumentation scope. */
    public static final String SCOPE = "dev.pawl";

    /** The attribute with the name of the messaging system. */
    public static final String SYSTEM = "messaging.system";
    /** The value of {@link #SYSTEM}. */
    public static final String PAWL = "pawl";
    /** The attribute with the name of the operation. */
    public static final String OPERATION = "messaging.operation.name";
    /** The attribute with the type of the operation. */
    public static final String OPERATION_TYPE = "messaging.operation.type";
    /** Enqueueing a job: the operation, and the start of the span's name. */
    public static final String ENQUEUE = "enqueue";
    /** The operation type of {@link #ENQUEUE}: one span per message, whose context the run continues. */
    public static final String CREATE = "create";
    /** Running a job: the operation, its type, and the start of the span's name. */
    public static final String PROCESS = "process";
    /** A call for several jobs: the operation, and the start of the span's name; its type is {@link #PROCESS}. */
    public static final String CHUNK = "chunk";
    /** The span attribute with the number of jobs of a call. */
    public static final String CHUNK_SIZE = "messaging.batch.message_count";
    /** The span attribute with the job's id; never a label of a metric. */
    public static final String JOB_ID = "messaging.message.id";
    /** The span attribute with the attempt, from 1. */
    public static final String ATTEMPT = "pawl.job.attempt";
    /** The span attribute with the job's maximum attempts. */
    public static final String MAX_ATTEMPTS = "pawl.job.max_attempts";
    /** The span attribute with the class of an error. */
    public static final String ERROR_TYPE = "error.type";

    private Names() {}

    /** Labels that distinguish the series of a metric. Each has a bounded number of values. */
    public enum Label {
        /** The job's queue. */
        QUEUE("queue", "messaging.destination.name"),
        /** The job's kind. */
        KIND("kind", "pawl.job.kind"),
        /** The reason why the job waits, or {@code running}: the word of its {@link dev.pawl.admin.DisplayState}. */
        STATE("state", "pawl.job.state"),
        /** How the handler call ended: see {@link Outcomes}. */
        OUTCOME("outcome", "pawl.job.outcome");

        private final String micrometer;
        private final String otel;

        Label(String micrometer, String otel) {
            this.micrometer = micrometer;
            this.otel = otel;
        }

        /** {@return its name in Micrometer} */
        public String micrometer() {
            return micrometer;
        }

        /** {@return its name in OpenTelemetry} */
        public String otel() {
            return otel;
        }
    }

    /** The type of a metric. */
    public enum Type {
        /** Counts events since the program's start. */
        COUNTER,
        /** A histogram of durations. */
        TIMER,
        /** A current value. */
        GAUGE
    }

    /** All metrics. */
    @SuppressWarnings("ImmutableEnumChecker") // the list of labels is immutable
    public enum Measure {
        /**
         * Jobs passed to an enqueue call, including those rolled back or ignored because of a unique key. A merge into an existing job
         * counts as two.
         */
        ENQUEUED(
                "pawl.job.enqueued",
                "messaging.client.sent.messages",
                Type.COUNTER,
                "Jobs enqueued",
                Label.QUEUE,
                Label.KIND),
        /** Handler calls. */
        STARTED(
                "pawl.job.started",
                "messaging.client.consumed.messages",
                Type.COUNTER,
                "Runs started",
                Label.QUEUE,
                Label.KIND),
        /** Jobs completed, as recorded in the database. */
        COMPLETED("pawl.job.completed", Type.COUNTER, "Jobs completed", Label.QUEUE, Label.KIND),
        /** Failed attempts that are retried. */
        RETRIED("pawl.job.retried", Type.COUNTER, "Failed attempts that are retried", Label.QUEUE, Label.KIND),
        /** Jobs snoozed by their handlers, or interrupted by a stopping worker. */
        SNOOZED("pawl.job.snoozed", Type.COUNTER, "Jobs snoozed", Label.QUEUE, Label.KIND),
        /** Jobs that failed permanently. */
        DISCARDED("pawl.job.discarded", Type.COUNTER, "Jobs failed for good", Label.QUEUE, Label.KIND),
        /** Jobs cancelled in this worker; jobs cancelled while waiting are not counted. */
        CANCELLED("pawl.job.cancelled", Type.COUNTER, "Jobs cancelled by a worker", Label.QUEUE, Label.KIND),
        /** Runs whose lease was lost. */
        LEASES_LOST("pawl.job.leases.lost", Type.COUNTER, "Runs whose lease was lost", Label.QUEUE, Label.KIND),
        /** Runs that took far longer than others of their kind; each counted once. */
        STALLED("pawl.job.stalled", Type.COUNTER, "Runs far longer than others of their kind", Label.QUEUE, Label.KIND),
        /** From the moment a job was due until its handler was called. */
        WAIT("pawl.job.wait", Type.TIMER, "Time from due to start", Label.QUEUE, Label.KIND),
        /** How long handlers ran. */
        RUN(
                "pawl.job.run",
                "messaging.process.duration",
                Type.TIMER,
                "Runs of handlers",
                Label.QUEUE,
                Label.KIND,
                Label.OUTCOME),

        /** Jobs claimed by this program's workers. */
        CLAIMED("pawl.worker.claimed", Type.COUNTER, "Jobs claimed"),
        /**
         * Jobs that an optimistic claim selected but another worker claimed first, and claims of a lane that failed because another worker
         * was faster.
         */
        CLAIMS_LOST("pawl.worker.claims.lost", Type.COUNTER, "Claims that another worker won"),
        /** Abandoned jobs of other workers that this program's workers rescued. */
        RESCUED("pawl.worker.rescued", Type.COUNTER, "Abandoned jobs recovered"),
        /** Handlers running in this program. */
        RUNNING("pawl.worker.running", Type.GAUGE, "Handlers running"),
        /** Jobs claimed but not started in this program. */
        BUFFERED("pawl.worker.buffered", Type.GAUGE, "Jobs claimed and not begun"),
        /** Maximum number of concurrent handlers in this program. */
        CONCURRENCY("pawl.worker.concurrency", Type.GAUGE, "Handlers at once"),

        /** Jobs of the whole queue, by state. */
        DEPTH("pawl.queue.depth", Type.GAUGE, "Jobs in a queue", Label.QUEUE, Label.STATE),
        /** Age of the oldest due job; 0 if none waits. */
        OLDEST("pawl.queue.oldest.age", Type.GAUGE, "Age of the oldest due job", Label.QUEUE),
        /** 1 if the queue is paused, else 0. */
        PAUSED("pawl.queue.paused", Type.GAUGE, "Whether the queue is paused", Label.QUEUE),
        /** 1 for each queue that is paused for a time, by an operator or because of an outage. */
        QUEUE_OUTAGE("pawl.queue.outage", Type.GAUGE, "Whether the queue is paused for a time", Label.QUEUE),
        /** 1 for each kind that is paused for a time. */
        KIND_OUTAGE("pawl.kind.outage", Type.GAUGE, "Whether the kind is paused for a time", Label.KIND),
        /** Live workers of the whole cluster. */
        WORKERS("pawl.workers", Type.GAUGE, "Live workers"),
        /** Time since the queues were last read. */
        SAMPLE_AGE("pawl.sample.age", Type.GAUGE, "Time since the queues were read");

        private final String micrometer;
        private final String otel;
        private final Type type;
        private final String description;
        private final List<Label> labels;

        Measure(String name, Type type, String description, Label... labels) {
            this(name, name, type, description, labels);
        }

        Measure(String micrometer, String otel, Type type, String description, Label... labels) {
            this.micrometer = micrometer;
            this.otel = otel;
            this.type = type;
            this.description = description;
            this.labels = List.of(labels);
        }

        /** {@return its name in Micrometer} */
        public String micrometer() {
            return micrometer;
        }

        /** {@return its name in OpenTelemetry} */
        public String otel() {
            return otel;
        }

        /** {@return its name where Prometheus scrapes a Micrometer registry; for a timer, the prefix of its series} */
        public String prometheus() {
            String name = micrometer.replace('.', '_') + (isSeconds() ? "_seconds" : "");
            return type == Type.COUNTER ? name + "_total" : name;
        }

        /** {@return its type} */
        public Type type() {
            return type;
        }

        /** {@return whether it is a time in seconds; otherwise a number of jobs, runs or workers} */
        public boolean isSeconds() {
            return type == Type.TIMER || this == OLDEST || this == SAMPLE_AGE;
        }

        /** {@return a short description} */
        public String description() {
            return description;
        }

        /** {@return its labels} */
        public List<Label> labels() {
            return labels;
        }

        /** {@return its messaging operation; empty if the conventions define none} */
        public String operation() {
            if (!otel.startsWith("messaging.")) {
                return "";
            }
            return this == ENQUEUED ? ENQUEUE : PROCESS;
        }
    }

    /** Results of a handler call: values of {@link Label#OUTCOME}. */
    public enum Outcomes {
        /** The handler returned, or reported completion. */
        COMPLETED,
        /** The handler threw, or requested a retry. Whether the job is retried depends on the job. */
        FAILED,
        /** The handler postponed the job, reported an outage, or waits for a signal or a sleep. */
        SNOOZED,
        /** The handler reported that the job is no longer wanted. */
        CANCELLED,
        /** The handler reported that the job can never succeed. */
        DISCARDED;

        /**
         * @param outcome returned by a handler
         * @return its category
         */
        public static Outcomes of(Outcome outcome) {
            if (outcome instanceof Outcome.RetryAfter) {
                return FAILED;
            } else if (outcome instanceof Outcome.SnoozeFor
                    || outcome instanceof Outcome.Unavailable
                    || outcome instanceof Outcome.KeyUnavailable) {
                return SNOOZED;
            } else if (outcome instanceof Outcome.Cancel) {
                return CANCELLED;
            } else if (outcome instanceof Outcome.Discard) {
                return DISCARDED;
            }
            return COMPLETED;
        }

        /** {@return its value in labels} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
