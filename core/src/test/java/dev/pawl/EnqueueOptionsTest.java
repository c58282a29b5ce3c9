package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.internal.enqueue.EnqueueInterceptors;
import dev.pawl.internal.enqueue.OwnOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnqueueOptionsTest {
    private static final EnqueueOptions NONE = EnqueueOptions.DEFAULTS;

    @Test
    void valuesOutsideTheirRangeAreRefusedWithTheRange() {
        assertThatThrownBy(() -> NONE.queue("two words")).hasMessageContaining("queue 'two words' is not valid");
        assertThatThrownBy(() -> NONE.queue("x'; DROP TABLE pawl_job; --"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NONE.priority(40_000)).hasMessageContaining("-32768 to 32767");
        assertThatThrownBy(() -> NONE.maxAttempts(0)).hasMessageContaining("1 to 32767");
        assertThatThrownBy(() -> NONE.delay(Duration.ofSeconds(-1))).hasMessageContaining("from zero");
        assertThatThrownBy(() -> NONE.uniqueKey(" padded ")).hasMessageContaining("no blank at either end");
        assertThatThrownBy(() -> NONE.tags("a\nb")).hasMessageContaining("no control characters");
        assertThatThrownBy(() -> NONE.availableAt(Instant.MAX)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A database would store a question mark instead of half a surrogate pair, and so treat two keys as equal. */
    @Test
    void keysAndTagsAreTextThatADatabaseCanStore() {
        String half = "cut \uD83D";
        assertThatThrownBy(() -> NONE.uniqueKey(half)).hasMessageContaining("half of a surrogate pair");
        assertThatThrownBy(() -> NONE.key(half)).hasMessageContaining("half of a surrogate pair");
        assertThatThrownBy(() -> NONE.tags(half)).hasMessageContaining("half of a surrogate pair");
        assertThat(NONE.uniqueKey("whole \uD83D\uDE00").uniqueKey()).isEqualTo("whole \uD83D\uDE00");
    }

    /** Regression: a job could not end, because reading its retry delay failed again and again. */
    @Test
    void aRetryDelayOfAThousandYearsIsAccepted() {
        Duration longest = Duration.ofDays(365_000);
        Job job = Job.builder(1, "greet", "default")
                .headers(EnqueueOptions.DEFAULTS
                        .retryExponential(Duration.ofSeconds(1), longest)
                        .headers())
                .build();
        assertThat(job.retryPolicy().orElseThrow().backoff(1)).isLessThan(Duration.ofSeconds(2));
        assertThat(job.retryPolicy().orElseThrow().backoff(100)).isGreaterThan(Duration.ofDays(3_653));
    }

    @Test
    void aTimeoutAndWaitsAfterFailuresTravelInHeaders() {
        EnqueueOptions options = EnqueueOptions.DEFAULTS
                .timeout(Duration.ofSeconds(30))
                .retryExponential(Duration.ofSeconds(2), Duration.ofSeconds(3))
                .headers(Map.of("trace", "7"));
        Job job = Job.builder(1, "greet", "default").headers(options.headers()).build();
        assertThat(job.timeout()).contains(Duration.ofSeconds(30));
        assertThat(job.retryPolicy().orElseThrow().backoff(5))
                .isBetween(Duration.ofMillis(2250), Duration.ofMillis(3750));
        Job fixed = Job.builder(1, "greet", "default")
                .headers(options.retryFixed(Duration.ZERO).headers())
                .build();
        assertThat(fixed.retryPolicy().orElseThrow().backoff(1)).isZero();
        assertThat(Job.builder(1, "greet", "default").build().retryPolicy()).isEmpty();
        for (String name : new String[] {"pawl-timeout", "pawl-retry"}) {
            assertThatThrownBy(() -> EnqueueOptions.DEFAULTS.header(name, "soon"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
            assertThat(Job.builder(1, "greet", "default")
                            .headers(Map.of(name, "by hand"))
                            .build())
                    .satisfies(written -> {
                        assertThat(written.timeout()).isEmpty();
                        assertThat(written.retryPolicy()).isEmpty();
                    });
        }
    }

    @Test
    void headersAreBounded() {
        assertThat(NONE.header("a", "1").header("b", "2").header("a", "3").headers())
                .isEqualTo(Map.of("a", "3", "b", "2"));
        assertThatThrownBy(() -> NONE.header("two words", "")).hasMessageContaining("header 'two words' is not valid");
        assertThatThrownBy(() -> NONE.header("a", "x\0")).hasMessageContaining("the header 'a' holds a NUL character");
        assertThatThrownBy(() -> NONE.header("a", "\uD83D")).hasMessageContaining("half of a surrogate pair");
        assertThatThrownBy(() -> NONE.header("a", "x".repeat(8_000))).hasMessageContaining("use at most 8000");
        Map<String, String> many = IntStream.range(0, 33).boxed().collect(Collectors.toMap(i -> "h" + i, i -> ""));
        assertThatThrownBy(() -> NONE.headers(many)).hasMessageContaining("33 headers are too many: use at most 32");
    }

    @Test
    void delayAndAvailableAtReplaceEachOther() {
        Instant moment = Instant.parse("2030-01-01T00:00:00Z");
        assertThat(NONE.delay(Duration.ofHours(1)).availableAt(moment).delay()).isZero();
        assertThat(NONE.availableAt(moment).delay(Duration.ofHours(1)).availableAt())
                .isNull();
    }

    @Test
    void aPayloadWithNulIsRefused() {
        assertThatThrownBy(() -> new JobRequest("kind", "a\0b", NONE)).hasMessageContaining("NUL");
    }

    /** These headers link a job to a batch, a workflow, a schedule or a unique key, or a later version may read them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pawl-key",
                "pawl-batch",
                "pawl-cost",
                "pawl-expires",
                "pawl-unique",
                "pawl-schedule",
                "pawl-tick",
                "pawl-callback-of",
                "pawl-anything"
            })
    void reservedHeadersAreRefused(String name) {
        Map<String, String> forged = Map.of("own", "1", name, "7");
        String message =
                "the header '" + name + "' is not valid: names that begin with pawl- are reserved for the library";
        assertThatThrownBy(() -> NONE.header(name, "7")).hasMessageContaining(message);
        assertThatThrownBy(() -> NONE.headers(forged)).hasMessageContaining(message);
        assertThatThrownBy(() -> new JobRequest("kind", "1", NONE).header(name, "7"))
                .hasMessageContaining(message);
        EnqueueOptions ours = OwnOptions.header(NONE, name, "7");
        assertThat(ours.headers()).isEqualTo(Map.of(name, "7"));
        assertThatThrownBy(() -> ours.header(name, "8")).hasMessageContaining(message);
        assertThatThrownBy(() -> NONE.headers(ours.headers())).hasMessageContaining(message);
        assertThat(ours.headers(Map.of("own", "1", name, "7")).headers()).isEqualTo(forged);
        assertThat(ours.header("own", "1")
                        .queue("q")
                        .headers(Map.of("own", "2"))
                        .headers())
                .isEqualTo(Map.of("own", "2", name, "7"));
    }

    /** Each of these headers stands for an option and is checked like that option. */
    @Test
    void headersThatAreOptionsMayBeCopied() {
        EnqueueOptions options = NONE.timeout(Duration.ofHours(1))
                .retryFixed(Duration.ofSeconds(1))
                .header("own", "1");
        assertThat(NONE.headers(options.headers())).isEqualTo(options);
        assertThat(options.headers(Map.of()).headers()).hasSize(2).doesNotContainKey("own");
    }

    @Test
    void keyCostAndExpiryAreNotHeaders() {
        EnqueueOptions options = NONE.key("k").cost(3).expiresIn(Duration.ofHours(1));
        assertThat(options.headers()).isEmpty();
        assertThat(options.headers(Map.of("own", "1")))
                .isEqualTo(NONE.header("own", "1").key("k").cost(3).expiresIn(Duration.ofHours(1)))
                .isNotEqualTo(NONE.header("own", "1"));
        assertThat(NONE.key()).isNull();
        assertThat(NONE.cost()).isEqualTo(1);
        assertThat(NONE.expiresAt()).isNull();
        assertThat(NONE.expiresIn()).isNull();
        Instant moment = Instant.parse("2030-01-01T00:00:00Z");
        assertThat(options.expiresAt(moment).expiresIn()).isNull();
        assertThat(options.expiresAt(moment).expiresIn(Duration.ofHours(1)).expiresAt())
                .isNull();
    }

    @Test
    void optionsOfBatchesDiffer() {
        EnqueueOptions ours = OwnOptions.batch(NONE, 7, false);
        assertThat(ours).isNotEqualTo(NONE).isEqualTo(OwnOptions.batch(NONE, 7, false));
        assertThat(ours).isNotEqualTo(OwnOptions.batch(NONE, 8, false));
        assertThat(OwnOptions.batch(ours.headers(Map.of("own", "1")).queue("q")))
                .isEqualTo(7);
        assertThatThrownBy(() -> ours.onDuplicate(OnDuplicate.REPLACE)).isInstanceOf(InvalidJobException.class);
    }

    /** Options that an interceptor builds lack the batch, so the batch is added again. */
    @Test
    void anInterceptorDoesNotTakeAJobOutOfItsBatch() {
        JobRequest job = new JobRequest("kind", "1", OwnOptions.batch(NONE, 7, true));
        JobRequest seen = EnqueueInterceptors.all(List.of(request -> request.options(NONE.queue("q"))))
                .intercept(job);
        assertThat(seen.options().queue()).isEqualTo("q");
        assertThat(OwnOptions.batch(seen.options())).isEqualTo(7);
        assertThat(OwnOptions.isFromWithin(seen.options())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9000-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "1969-12-31T23:59:59Z"})
    void timesBeyondTheBoundAreRefused(Instant moment) {
        String message = " is not valid: use a moment from the year 1970 to the year 8999";
        assertThatThrownBy(() -> NONE.availableAt(moment)).hasMessage("availableAt " + moment + message);
        assertThatThrownBy(() -> NONE.expiresAt(moment)).hasMessage("expiresAt " + moment + message);
        assertThatThrownBy(() -> new JobChange.Reschedule(moment)).hasMessageContaining(message);
        assertThatThrownBy(() -> JobEdit.NOTHING.availableAt(moment)).hasMessageContaining(message);
        EnqueueOptions ours = OwnOptions.batch(NONE, 7, false);
        assertThatThrownBy(() -> ours.availableAt(moment)).hasMessageContaining(message);
    }

    @Test
    void onlyTheLibrarySetsTheStateInWhichAJobIsWritten() {
        Instant far = Instant.parse("8999-12-31T23:59:59Z");
        JobRequest pending = OwnOptions.written(new JobRequest("kind", "1", NONE.availableAt(far)), JobState.PENDING);
        assertThat(pending.options().availableAt()).isEqualTo(far);
        assertThat(OwnOptions.state(
                        pending.options(pending.options().priority(1).header("a", "b"))))
                .isEqualTo(JobState.PENDING);
        assertThat(OwnOptions.state(new JobRequest("kind", "1", OwnOptions.batch(pending.options(), 7, false))))
                .isEqualTo(JobState.PENDING);
        assertThat(OwnOptions.state(new JobRequest(
                        "kind", "1", NONE.headers(pending.options().headers()))))
                .isEqualTo(JobState.AVAILABLE);
    }
}
