package dev.pawl.dashboard.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "-0.5e+10",
                "\"\\u00e9\\n\"",
                " {\"a\":[1,{\"b\":null}],\"c\":\"x\"} ",
                "0",
                "[[],{}]"
            })
    void thisIsJson(String text) {
        String shown = JsonText.indented(text).orElseThrow();
        assertThat(shown.replaceAll("\\s", "")).isEqualTo(text.replaceAll("\\s", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"a\"}",
                "{a:1}",
                "[1,]",
                "{\"a\":1,}",
                "01",
                "1.",
                "+1",
                "'x'",
                "\"\n\"",
                "\"\\x\"",
                "\"\\u00g0\"",
                "tru",
                "{} {}",
                "NaN",
                "\"x"
            })
    void thisIsNotJson(String text) {
        assertThat(JsonText.indented(text)).isEmpty();
    }

    @Test
    void tooDeepNestingIsNotJson() {
        assertThat(JsonText.indented("[".repeat(100_000))).isEmpty();
        assertThat(JsonText.isJson("[".repeat(150) + "]".repeat(150))).isTrue();
    }

    /** The API embeds payloads as JSON, so text that other parsers reject must not count as JSON. */
    @Test
    void digitsOfOtherScriptsAreInvalid() {
        assertThat(JsonText.isJson("\"\\u0041\"")).isTrue();
        assertThat(JsonText.isJson("\"\\u\uFF10\uFF10\uFF14\uFF11\"")).isFalse();
    }

    @Test
    void outputIsJsonAndSafeInAPage() {
        String json = Json.write(Json.object(
                "text",
                "\"\\\n\u0001</script>\u2028\uD800x",
                "list",
                List.of(1, 2.5, true, Instant.EPOCH),
                "none",
                null,
                "empty",
                Map.of()));
        assertThat(JsonText.isJson(json)).isTrue();
        assertThat(json)
                .isEqualTo("{\"text\":\"\\\"\\\\\\n\\u0001\\u003c/script\\u003e\\u2028\\ud800x\",\"list\":[1,2.5,true,"
                        + "\"1970-01-01T00:00:00Z\"],\"none\":null,\"empty\":{}}");
    }
}
