package dev.pawl.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.claim.Heads.Head;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeadsTest {
    private final Map<String, List<Head<String>>> jobs = new TreeMap<>();
    private final List<Integer> kindsAsked = new ArrayList<>();
    private final List<Integer> depths = new ArrayList<>();
    private long nextId = 1;

    private void add(String kind, int due) {
        long id = nextId++;
        jobs.computeIfAbsent(kind, any -> new ArrayList<>())
                .add(new Head<>(kind, Instant.ofEpochSecond(due), id, "job " + id));
    }

    private static final Comparator<Head<String>> ORDER =
            Comparator.<Head<String>, Instant>comparing(Head::availableAt).thenComparing(Head::id);

    private List<Head<String>> read(List<String> kinds, int limit) {
        kindsAsked.add(kinds.size());
        depths.add(limit);
        assertThat(kinds).isNotEmpty().doesNotHaveDuplicates().isSorted();
        return kinds.stream()
                .flatMap(kind -> jobs.getOrDefault(kind, List.of()).stream()
                        .sorted(ORDER)
                        .limit(limit))
                .toList();
    }

    private static List<String> kinds(int kinds) {
        return IntStream.range(0, kinds)
                .mapToObj(kind -> "kind %03d".formatted(kind))
                .toList();
    }

    private void firstIsRight(int kinds, int limit) throws SQLException {
        List<Head<String>> expected = jobs.values().stream()
                .flatMap(List::stream)
                .sorted(ORDER)
                .limit(limit)
                .toList();
        assertThat(Heads.first(kinds(kinds), limit, this::read)).isEqualTo(expected);
    }

    @Test
    void theResultIsTheSameAsIfAllWereRead() throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            jobs.clear();
            int kinds = 2 + random.nextInt(60);
            int greedy = random.nextInt(kinds);
            for (int job = random.nextInt(400); job > 0; job--) {
                int kind = random.nextInt(3) == 0 ? random.nextInt(kinds) : greedy;
                add("kind %03d".formatted(kind), random.nextInt(30));
            }
            firstIsRight(kinds, 1 + random.nextInt(150));
        }
    }

    @Test
    void fewAreReadInOneGo() throws Exception {
        IntStream.range(0, 400).forEach(job -> add("kind 003", job));
        firstIsRight(5, 100);
        assertThat(kindsAsked).containsExactly(5);
        assertThat(depths).containsExactly(100);
    }

    @Test
    void jobsThatAreSpreadEvenlyAreReadOnceAndNotDeep() throws Exception {
        IntStream.range(0, 10_000).forEach(job -> add("kind %03d".formatted(job % 100), job));
        firstIsRight(100, 100);
        assertThat(kindsAsked).containsExactly(100);
        assertThat(depths).containsExactly(10);
    }

    @Test
    void onlyTheKindThatHasMoreIsReadAgainDeeper() throws Exception {
        IntStream.range(0, 99)
                .forEach(kind -> IntStream.range(0, 10).forEach(job -> add("kind %03d".formatted(kind), 1000 + job)));
        IntStream.range(0, 400).forEach(job -> add("kind 099", job));
        firstIsRight(100, 100);
        assertThat(kindsAsked).containsExactly(100, 1, 1);
        assertThat(depths).containsExactly(10, 40, 100);
    }

    /** A kind with fewer jobs than requested has no more. */
    @Test
    void exhaustedKindsAreNotReadAgain() throws Exception {
        IntStream.range(0, 100).forEach(kind -> add("kind %03d".formatted(kind), kind));
        firstIsRight(100, 200);
        assertThat(kindsAsked).containsExactly(100);
    }
}
