package dev.pawl.metrics;

import dev.pawl.Outcome;
import java.util.List;
import java.util.Locale;

/**
 * All names of metrics, labels and spans. Those of OpenTelemetry follow its semantic conventions for messaging, 1.44, which are
 * not stable yet; what these do not know begins with {@code pawl}. They are kept from version to version, and the changelog says
 * when one changes.
 */
public final class Names {
    /** What measures, as libraries ask for its name. */
    public static final String SCOPE = "dev.pawl";

    /** The attribute that names the system. */
    public static final String SYSTEM = "messaging.system";
    /** Its value. */
    public static final String PAWL = "pawl";
    /** The attribute that names what is done. */
    public static final String OPERATION = "messaging.operation.name";
    /** The attribute that says of which type that is. */
    public static final String OPERATION_TYPE = "messaging.operation.type";
    /** A job is handed in: the operation, and the start of the span's name. */
    public static final String ENQUEUE = "enqueue";
    /** The type of operation of {@link #ENQUEUE}: one span for one message, and the context that its run continues. */
    public static final String CREATE = "create";
    /** A job is run: the operation, its type, and the start of the span's name. */
    public static final String PROCESS = "process";
    /** A call for many jobs: the operation, and the start of the span's name; its type is {@link #PROCESS}. */
    public static final String CHUNK = "chunk";
    /** The attribute of a span with how many jobs a call has. */
    public static final String CHUNK_SIZE = "messaging.batch.message_count";
    /** The attribute of a span with the job's id; never a label of a metric. */
    public static final String JOB_ID = "messaging.message.id";
    /** The attribute of a span that counts the job's attempts from 1. */
    public static final String ATTEMPT = "pawl.job.attempt";
    /** The attribute of a span with how many attempts the job has. */
    public static final String MAX_ATTEMPTS = "pawl.job.max_attempts";
    /** The attribute of a span that names the class of an error. */
    public static final String ERROR_TYPE = "error.type";

    private Names() {}

    /** What tells the series of a metric apart. None has more than a bounded number of values. */
    public enum Label {
        /** The job's queue. */
        QUEUE("queue", "messaging.destination.name"),
        /** The job's kind. */
        KIND("kind", "pawl.job.kind"),
        /** What the job waits for, or {@code running}: the word of its {@link dev.pawl.admin.DisplayState}. */
        STATE("state", "pawl.job.state"),
        /** How the handler ended: see {@link Outcomes}. */
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

    /** How a metric is measured. */
    public enum Type {
        /** Counts what has happened since the program began. */
        COUNTER,
        /** Durations, as a histogram. */
        TIMER,
        /** How it is now. */
        GAUGE
    }

    /** Each metric. */
    @SuppressWarnings("ImmutableEnumChecker") // the list is
    public enum Measure {
        /** Jobs that this program has handed in, also those whose transaction was rolled back or whose unique key was taken. */
        ENQUEUED(
                "pawl.job.enqueued",
                "messaging.client.sent.messages",
                Type.COUNTER,
                "Jobs handed in",
                Label.QUEUE,
                Label.KIND),
        /** Handlers called. */
        STARTED(
                "pawl.job.started",
                "messaging.client.consumed.messages",
                Type.COUNTER,
                "Runs started",
                Label.QUEUE,
                Label.KIND),
        /** Jobs completed, as the database has recorded. */
        COMPLETED("pawl.job.completed", Type.COUNTER, "Jobs completed", Label.QUEUE, Label.KIND),
        /** Attempts that failed and are followed by another. */
        RETRIED("pawl.job.retried", Type.COUNTER, "Attempts failed, another follows", Label.QUEUE, Label.KIND),
        /** Jobs put off by their handlers, or given back by a worker that stopped. */
        SNOOZED("pawl.job.snoozed", Type.COUNTER, "Jobs put off by their handlers", Label.QUEUE, Label.KIND),
        /** Jobs that failed for good. */
        DISCARDED("pawl.job.discarded", Type.COUNTER, "Jobs failed for good", Label.QUEUE, Label.KIND),
        /** Jobs cancelled in this worker; those that were cancelled as they waited are not among them. */
        CANCELLED("pawl.job.cancelled", Type.COUNTER, "Jobs cancelled by a worker", Label.QUEUE, Label.KIND),
        /** Runs whose lease was lost. */
        LEASES_LOST("pawl.job.leases.lost", Type.COUNTER, "Runs whose lease was lost", Label.QUEUE, Label.KIND),
        /** Runs that took far longer than others of their kind; each once. */
        STALLED("pawl.job.stalled", Type.COUNTER, "Runs far longer than others of their kind", Label.QUEUE, Label.KIND),
        /** From the moment at which a job was due until its handler was called. */
        WAIT("pawl.job.wait", Type.TIMER, "Due until started", Label.QUEUE, Label.KIND),
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
        /** Jobs that an optimistic claim saw and another worker took first. */
        CLAIMS_LOST("pawl.worker.claims.lost", Type.COUNTER, "Claims that another worker won"),
        /** Abandoned jobs of other workers that this program's workers recovered. */
        RESCUED("pawl.worker.rescued", Type.COUNTER, "Abandoned jobs recovered"),
        /** Handlers that run now in this program. */
        RUNNING("pawl.worker.running", Type.GAUGE, "Handlers running"),
        /** Jobs claimed and not begun, in this program. */
        BUFFERED("pawl.worker.buffered", Type.GAUGE, "Jobs claimed and not begun"),
        /** Handlers at once in this program. */
        CONCURRENCY("pawl.worker.concurrency", Type.GAUGE, "Handlers at once"),

        /** Jobs of the whole queue, by state. */
        DEPTH("pawl.queue.depth", Type.GAUGE, "Jobs in a queue", Label.QUEUE, Label.STATE),
        /** How long the oldest due job has been waiting; 0 if none waits. */
        OLDEST("pawl.queue.oldest.age", Type.GAUGE, "Age of the oldest due job", Label.QUEUE),
        /** 1 if the queue is paused, else 0. */
        PAUSED("pawl.queue.paused", Type.GAUGE, "Whether the queue is paused", Label.QUEUE),
        /** 1 for each queue that is held back. */
        QUEUE_HELD("pawl.queue.held", Type.GAUGE, "Whether the queue is held back", Label.QUEUE),
        /** 1 for each kind that is held back. */
        KIND_HELD("pawl.kind.held", Type.GAUGE, "Whether the kind is held back", Label.KIND),
        /** Live workers of the whole cluster. */
        WORKERS("pawl.workers", Type.GAUGE, "Live workers"),
        /** How long ago the queues were read. */
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

        /** {@return its name where Prometheus reads a registry of Micrometer; of a timer, what all its series begin with} */
        public String prometheus() {
            String name = micrometer.replace('.', '_') + (isSeconds() ? "_seconds" : "");
            return type == Type.COUNTER ? name + "_total" : name;
        }

        /** {@return how it is measured} */
        public Type type() {
            return type;
        }

        /** {@return whether it is a time, in seconds; else it is a number of jobs, runs or workers} */
        public boolean isSeconds() {
            return type == Type.TIMER || this == OLDEST || this == SAMPLE_AGE;
        }

        /** {@return what it is, in a few words} */
        public String description() {
            return description;
        }

        /** {@return what tells its series apart} */
        public List<Label> labels() {
            return labels;
        }

        /** {@return the operation of messaging that it belongs to; empty if the conventions do not know it} */
        public String operation() {
            if (!otel.startsWith("messaging.")) {
                return "";
            }
            return this == ENQUEUED ? ENQUEUE : PROCESS;
        }
    }

    /** How the call of a handler ended: values of {@link Label#OUTCOME}. */
    public enum Outcomes {
        /** It returned, or said that it is done. */
        COMPLETED,
        /** It threw, or asked for another attempt: whether there is one is up to the job. */
        FAILED,
        /** It put the job off, said that something is unavailable, or waits for a signal or sleeps. */
        SNOOZED,
        /** It said that the job is no longer wanted. */
        CANCELLED,
        /** It said that the job can never be done. */
        DISCARDED;

        /**
         * @param outcome what a handler has returned
         * @return what that means
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

        /** {@return as labels say it} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
