package dev.pawl.internal.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All queues whose names match, as they appear; each round begins with another one. Thread-safe. */
public final class MatchingQueues implements QueueOrder {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");
    /** Each is asked for jobs in every round. */
    private static final int MOST = 1_000;

    private final List<String> patterns;
    private final Pattern matching;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private volatile boolean saidTooMany;

    /**
     * @param patterns names in which {@code *} stands for any text
     */
    public MatchingQueues(List<String> patterns) {
        this.patterns = List.copyOf(patterns);
        this.matching = Pattern.compile(patterns.stream()
                .map(pattern -> List.of(pattern.split("\\*", -1)).stream()
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")))
                .collect(Collectors.joining("|")));
        patterns.stream().filter(pattern -> !pattern.contains("*")).forEach(known::add);
    }

    /** {@return the names that were given} */
    List<String> patterns() {
        return patterns;
    }

    @Override
    public List<String> names() {
        return known.stream().sorted().toList();
    }

    @Override
    public Set<String> set() {
        return Collections.unmodifiableSet(known);
    }

    @Override
    public boolean wants(String queue) {
        return known.contains(queue) || add(queue);
    }

    private boolean add(String queue) {
        if (!matching.matcher(queue).matches()) {
            return false;
        }
        if (known.size() >= MOST) {
            if (!saidTooMany) {
                saidTooMany = true;
                LOG.warn(
                        "more than {} queues match {}: '{}' and later ones are left to other workers",
                        MOST,
                        patterns,
                        queue);
            }
            return false;
        }
        return known.add(queue);
    }

    /**
     * @param queues that there are
     * @return whether one of them matches and was not known
     */
    boolean found(Collection<String> queues) {
        int before = known.size();
        queues.forEach(this::wants);
        return known.size() > before;
    }

    /** Any of them may be the first, so that none waits for the others. */
    @Override
    public List<Share> shares(int wanted) {
        List<String> names = new ArrayList<>(known);
        Collections.rotate(
                names, names.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(names.size()));
        return names.stream().map(name -> new Share(name, wanted)).toList();
    }
}
