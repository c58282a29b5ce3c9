package dev.pawl.lab.contender;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What may follow the name of a system, after a plus sign: features that its jobs use. */
public enum Variant {
    /** Finished jobs are deleted. */
    NO_HISTORY,
    /** Each queue has a limit that equals the number of handlers. */
    LIMIT,
    /** The jobs' kind has a limit that equals the number of handlers. */
    KIND_LIMIT,
    /** Each job has one of a hundred concurrency keys. Ten jobs of a key may run at once. */
    KEYS,
    /** Each job has one of ten thousand concurrency keys. The jobs of a key run one after the other. */
    STRICT_KEYS,
    /** All jobs are members of one batch. */
    BATCH,
    /** Every ten jobs are a batch. */
    SMALL_BATCHES,
    /** One call handles up to a hundred jobs. */
    CHUNKS,
    /** Jobs are spread over twenty queues, which the worker serves by a pattern. */
    QUEUES,
    /** Each handler inserts a row in its job's transaction. */
    TRANSACTION,
    /** All jobs become due in the same second, while the workers wait for them. */
    DUE;

    private static final Pattern WORKERS = Pattern.compile("workers=(\\d{1,3})");
    private static final String PLUS = "\\+";

    /** {@return its name after the plus sign} */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return whether the name of the system contains this variant} */
    public boolean in(String system) {
        return words(system).contains(word());
    }

    /** {@return the name before all variants} */
    public static String base(String system) {
        return system.split(PLUS, 2)[0];
    }

    /** {@return the words after the base name} */
    static List<String> words(String system) {
        List<String> all = List.of(system.split(PLUS, -1));
        return all.subList(1, all.size());
    }

    /** {@return the number of workers that share the handlers; each has its own pool, as if it were a separate program} */
    public static int workers(String system) {
        return words(system).stream()
                .map(WORKERS::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .map(found -> Math.max(1, Integer.parseInt(found.group(1))))
                .orElse(1);
    }

    /** {@return the first word that is neither a possible variant nor a number of workers} */
    static Optional<String> unknown(String system, List<Variant> possible) {
        return words(system).stream()
                .filter(word -> !WORKERS.matcher(word).matches())
                .filter(word -> possible.stream().noneMatch(one -> one.word().equals(word)))
                .findFirst();
    }
}
