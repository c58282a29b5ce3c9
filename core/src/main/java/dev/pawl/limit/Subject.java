package dev.pawl.limit;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import java.util.Locale;
import java.util.Objects;

/**
 * The jobs to which a limit or a retention rule applies: all jobs of a queue, all jobs of a kind in all queues, or the
 * jobs of each concurrency key of a queue.
 *
 * @param of queue, kind or keys
 * @param name of the queue or kind
 */
public record Subject(Of of, String name) {
    /** The type of a subject. */
    public enum Of {
        /** The jobs of a queue. */
        QUEUE,
        /** The jobs of a kind. */
        KIND,
        /** The jobs of each concurrency key of a queue, see {@link EnqueueOptions#key}. */
        KEYS;

        /** {@return the word for this type: {@code queue}, {@code kind} or {@code keys}} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Parses the word of a type.
         *
         * @param word {@code queue}, {@code kind} or {@code keys}
         * @return the type
         * @throws IllegalArgumentException if it is another word
         */
        public static Of parse(String word) {
            return switch (word) {
                case "queue" -> QUEUE;
                case "kind" -> KIND;
                case "keys" -> KEYS;
                default ->
                    throw new IllegalArgumentException("unknown limit target '" + word + "': use queue, kind or keys");
            };
        }
    }

    /**
     * @throws IllegalArgumentException if the name is not valid
     */
    public Subject {
        Objects.requireNonNull(of, "of");
        if (of != Of.KIND) {
            EnqueueOptions.DEFAULTS.queue(name); // the call checks the name
        } else {
            JobType.of(name, String.class);
        }
    }

    /**
     * Returns the jobs of a queue.
     *
     * @param name of a queue
     * @return the subject
     * @throws IllegalArgumentException if the name is not valid
     */
    public static Subject queue(String name) {
        return new Subject(Of.QUEUE, name);
    }

    /**
     * Returns the jobs of a kind.
     *
     * @param name of a kind
     * @return the subject
     * @throws IllegalArgumentException if the name is not valid
     */
    public static Subject kind(String name) {
        return new Subject(Of.KIND, name);
    }

    /**
     * Returns the jobs of each concurrency key of a queue.
     *
     * @param queue of the jobs
     * @return the subject
     * @throws IllegalArgumentException if the name is not valid
     */
    public static Subject keysOf(String queue) {
        return new Subject(Of.KEYS, queue);
    }

    /** {@return {@code queue mail}, {@code kind send} or {@code keys mail}} */
    @Override
    public String toString() {
        return of.word() + " " + name;
    }
}
