package dev.pawl.dashboard.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlertRuleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "oldest=PT10M",
                "oldest:mail=PT1H30M",
                "failing=20%",
                "failing:mail=1%",
                "discarded=5",
                "discarded:mail=1",
                "stalled",
                "overdue",
                "no-worker",
                "no-worker:mail"
            })
    void whatIsWrittenIsRead(String text) {
        assertThat(AlertRule.parse(text).toString()).isEqualTo(text);
    }

    @Test
    void agesMayBeWrittenInShortForm() {
        assertThat(AlertRule.parse("oldest=10m")).isEqualTo(AlertRule.parse("oldest=PT10M"));
        assertThat(AlertRule.parse("oldest:mail=90s")).isEqualTo(AlertRule.parse("oldest:mail=PT1M30S"));
        assertThat(AlertRule.parse("oldest=1d")).isEqualTo(AlertRule.parse("oldest=PT24H"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "oldest",
                "oldest=10",
                "oldest=PT0S",
                "oldest=0m",
                "oldest=-5m",
                "failing=0%",
                "failing=101",
                "discarded=0",
                "hope",
                "oldest:=10m",
                "no-worker:",
                "no-worker=5",
                "stalled=5",
                "stalled:mail",
                "overdue:mail"
            })
    void whatIsNoRuleIsRefusedWithWhatThereIs(String text) {
        assertThatThrownBy(() -> AlertRule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT10M");
    }

    @Test
    void quietTimesMaySpanMidnight() {
        QuietTime night = QuietTime.parse("22:00-07:00", ZoneId.of("Europe/Berlin"));
        assertThat(night.contains(Instant.parse("2026-11-23T21:30:00Z"))).isTrue();
        assertThat(night.contains(Instant.parse("2026-11-23T05:59:00Z"))).isTrue();
        assertThat(night.contains(Instant.parse("2026-11-23T06:00:00Z"))).isFalse();
        QuietTime noon = QuietTime.parse("12:00-13:00", ZoneOffset.UTC);
        assertThat(noon.contains(Instant.parse("2026-11-23T12:59:00Z"))).isTrue();
        assertThat(noon.contains(Instant.parse("2026-11-23T13:00:00Z"))).isFalse();
        assertThatThrownBy(() -> QuietTime.parse("at night", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QuietTime.parse("07:00-07:00", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two different ends");
    }
}
