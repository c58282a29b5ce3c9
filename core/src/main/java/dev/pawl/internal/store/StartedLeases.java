package dev.pawl.internal.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leases under which jobs may have started, as JSON in their worker's row: {@code [[token,first,last],[token,id]]}. A worker writes
 * this JSON before it starts prefetched jobs, once for many jobs. Another worker that rescues these jobs reads the JSON.
 */
public final class StartedLeases {
    private StartedLeases() {}

    /** {@return the JSON for these leases; consecutive ids under one token share an entry} */
    public static String encode(Collection<Lease> leases) {
        List<Lease> ordered = leases.stream()
                .sorted((a, b) -> a.token() != b.token()
                        ? Long.compare(a.token(), b.token())
                        : Long.compare(a.jobId(), b.jobId()))
                .toList();
        StringBuilder text = new StringBuilder("[");
        for (int first = 0; first < ordered.size(); ) {
            int last = first;
            while (last + 1 < ordered.size() && follows(ordered.get(last), ordered.get(last + 1))) {
                last++;
            }
            long token = ordered.get(first).token();
            append(text, token, ordered.get(first).jobId(), ordered.get(last).jobId());
            first = last + 1;
        }
        return text.append(']').toString();
    }

    private static void append(StringBuilder text, long token, long first, long last) {
        text.append(text.length() == 1 ? "[" : ",[").append(token).append(',').append(first);
        if (last > first) {
            text.append(',').append(last);
        }
        text.append(']');
    }

    private static boolean follows(Lease one, Lease next) {
        return one.token() == next.token() && one.jobId() + 1 == next.jobId();
    }

    /**
     * Selects the leases that the JSON contains. Parses it once, and expands no ranges.
     *
     * @param json as encoded; null contains none
     * @param asked the leases of interest
     * @return the leases whose jobs may have started
     */
    public static Set<Lease> among(@Nullable String json, Collection<Lease> asked) {
        Set<Lease> found = new HashSet<>();
        if (json == null) {
            return found;
        }
        List<long[]> entries;
        try {
            entries = entries(json);
        } catch (RuntimeException unreadable) { // a newer program wrote this, so any of these jobs may have started
            return new HashSet<>(asked);
        }
        for (Lease lease : asked) {
            if (entries.stream()
                    .anyMatch(entry ->
                            entry[0] == lease.token() && entry[1] <= lease.jobId() && lease.jobId() <= entry[2])) {
                found.add(lease);
            }
        }
        return found;
    }

    private static List<long[]> entries(String json) {
        List<long[]> entries = new ArrayList<>();
        JsonScanner scanner = new JsonScanner(json);
        scanner.array(() -> {
            List<Long> numbers = new ArrayList<>(3);
            scanner.array(() -> numbers.add(scanner.number()));
            entries.add(new long[] {numbers.get(0), numbers.get(1), numbers.get(numbers.size() - 1)});
        });
        scanner.end();
        return entries;
    }
}
