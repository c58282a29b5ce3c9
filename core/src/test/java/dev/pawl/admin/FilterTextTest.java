package dev.pawl.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTextTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private static JobFilter read(String line) {
        return FilterText.parse(line, JobFilter.ALL, NOW);
    }

    @Test
    void everyQualifierIsParsed() {
        assertThat(read(
                        "state:discarded queue:mail kind:mail.send tag:x key:42 uniqueKey:u-1 text:\"time out\" from:2026-11-01"
                                + " until:2026-11-02T10:00+02:00"))
                .isEqualTo(JobFilter.ALL
                        .state(JobState.DISCARDED)
                        .queue("mail")
                        .kind("mail.send")
                        .tag("x")
                        .key("42")
                        .uniqueKey("u-1")
                        .text("time out")
                        .createdFrom(Instant.parse("2026-11-01T00:00:00Z"))
                        .createdBefore(Instant.parse("2026-11-02T08:00:00Z")));
        assertThat(read("STATE:Running since:2h BEFORE:90s unique-key:u"))
                .isEqualTo(JobFilter.ALL
                        .state(JobState.RUNNING)
                        .createdFrom(Instant.parse("2026-11-24T10:00:00Z"))
                        .createdBefore(Instant.parse("2026-11-24T11:58:30Z"))
                        .uniqueKey("u"));
        assertThat(read("from:7d").createdFrom()).isEqualTo("2026-11-17T12:00:00Z");
        assertThat(read(" \t\u00A0 ")).isEqualTo(JobFilter.ALL);
        assertThat(FilterText.qualifiers())
                .allSatisfy(name -> assertThat(FilterText.qualifier(name)).isEqualTo(name));
    }

    @Test
    void acceptedAndExcludedValuesAreParsed() {
        assertThat(read("kind:a,b -Kind:c state:running,Discarded -queue:x kind:d -queue:y,z"))
                .isEqualTo(JobFilter.ALL
                        .kinds(Choice.of(List.of("a", "b", "d")).without(List.of("c")))
                        .states(Choice.of(List.of(JobState.RUNNING, JobState.DISCARDED)))
                        .queues(Choice.<String>all().without(List.of("x", "y", "z"))));
        String line = "state:running -state:discarded queue:a,b -queue:c kind:d -kind:e,f tag:a,b";
        assertThat(FilterText.of(read(line))).isEqualTo(line);
        assertThat(read(line).tag()).as("only names cannot hold a comma").isEqualTo("a,b");
        assertThat(read("-kind:" + "a,".repeat(60) + "b").kinds().none())
                .as("the same counts once")
                .containsExactly("a", "b");
    }

    @Test
    void atMostFiftyValuesAreAccepted() {
        String names = java.util.stream.IntStream.rangeClosed(1, 51)
                .mapToObj(i -> "k" + i)
                .collect(java.util.stream.Collectors.joining(","));
        for (String line : List.of("kind:" + names, "-kind:" + names, "kind:" + names.replace(",", " kind:"))) {
            assertThatThrownBy(() -> read(line)).hasMessageContaining("a filter names at most 50 values");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "text:a:b        | a:b",
                "text:a\"b       | a\"b",
                "text:\\          | \\",
                "text:\"a \\\"b\\\"\" | a \"b\"",
                "text:\"\\\\\"      | \\",
                "text:'a          | 'a",
                "text:\"queue:x y\" | queue:x y",
            })
    void valuesMayHaveAnyText(String line, String text) {
        assertThat(read(line)).isEqualTo(JobFilter.ALL.text(text));
    }

    @Test
    void formattedFiltersAreParsedToTheSame() {
        List<String> parts =
                List.of("a", "\"", "\\", " ", "\u00A0", "\n", ":", "state:", "-", "'", "\uD83D\uDE00", "%");
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder value = new StringBuilder();
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                value.append(parts.get(random.nextInt(parts.size())));
            }
            JobFilter filter = JobFilter.ALL
                    .text(value.toString())
                    .key(value.reverse().toString())
                    .state(JobState.AVAILABLE)
                    .createdFrom(Instant.parse("2026-11-24T10:00:00.123456Z"));
            assertThat(read(FilterText.of(filter))).as(FilterText.of(filter)).isEqualTo(filter);
        }
        assertThat(FilterText.of(JobFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "kind:a stat:x    | 'stat' at character 8 is not a qualifier: write one of state, queue, kind, tag, key, uniqueKey, text, from, until,",
                "mail             | 'mail' at character 1 has no qualifier: write one of state,",
                "\"kind:a\"         | has no qualifier",
                ":x               | '' at character 1 is not a qualifier",
                "kind:            | 'kind' at character 1 has no value",
                "kind: a          | 'kind' at character 1 has no value",
                "kind:\"\"          | 'kind' at character 1 has no value",
                "text:\"a b       | the quote at character 6 is not closed",
                "text:\"a\"b       | a blank after the quote at character 8",
                "tag:a tag:b      | 'tag' at character 7 is the second: only state, queue and kind take several values",
                "kind:a,          | 'kind' at character 1 has an empty value: write it like kind:a,b",
                "state:done,running | 'done' after 'state' at character 1 is not a state",
                "-from:1h         | '-from' at character 1 cannot exclude; only state, queue and kind can",
                "!kind:a          | '!kind' at character 1 is not a qualifier",
                "--kind:a         | '--kind' at character 1 is not a qualifier",
                "until:1h before:2h | 'before' at character 10 is the second",
                "-tag:a           | '-tag' at character 1 cannot exclude; only state, queue and kind can",
                "state:done       | 'done' after 'state' at character 1 is not a state: use available, blocked, pending,",
                "from:yesterday   | 'yesterday' after 'from' at character 1 is not a time: write it like 2030-01-31T08:00:00Z",
                "from:2026-13-01  | is not a time",
                "from:999999999d  | use one from 1970 to 9000",
                "from:+9999999999-01-01 | is not a time",
            })
    void errorsNameTheirPosition(String line, String problem) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void messagesAreBounded() {
        for (String line : List.of(
                "x".repeat(100_000), "x".repeat(3_900), "state:" + "x".repeat(3_900), "y".repeat(3_000) + ":1")) {
            assertThatThrownBy(() -> read(line))
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
        }
        assertThatThrownBy(() -> read("\u001B[31m\u202E"))
                .satisfies(e -> assertThat(e.getMessage()).startsWith("'?[31m?' at character 1"));
    }

    @Test
    void repeatedConditionsAreRefused() {
        assertThatThrownBy(() -> FilterText.parse("queue:a", JobFilter.ALL.queue("a"), NOW))
                .hasMessageContaining("'queue' is given in the filter and separately");
        assertThatThrownBy(() -> FilterText.parse("-queue:a", JobFilter.ALL.queue("a"), NOW))
                .hasMessageContaining("'-queue' is given in the filter and separately");
        assertThat(FilterText.parse("queue:a", JobFilter.ALL.kind("b").before(7).limit(3), NOW))
                .isEqualTo(JobFilter.ALL.kind("b").queue("a").before(7).limit(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "kind:a ", "kind:\"a b\" ", "kind:\"a \\\" b\" "})
    void theStartOfTheLastWordIsFound(String before) {
        for (String last : List.of("", "st", "state:", "text:\"a b", "text:\"a \\\" b")) {
            assertThat(FilterText.lastWord(before + last)).as(before + last).isEqualTo(before.length());
        }
    }
}
