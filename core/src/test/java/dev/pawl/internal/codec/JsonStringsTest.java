package dev.pawl.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JsonStringsTest {
    private static final List<String> AWKWARD =
            List.of("", "plain", "\"quoted\" \\ /", "\n\r\t\b\f\u0001\u001f\u007f", "日本 \uD83D\uDE00", "[\"a\",\"b\"]");

    @Test
    void writesAndReadsWhatJacksonDoes() {
        JsonMapper jackson = JsonMapper.builder().build();
        assertThat(jackson.readValue(JsonStrings.write(AWKWARD), String[].class))
                .containsExactlyElementsOf(AWKWARD);
        assertThat(JsonStrings.readAll(jackson.writeValueAsString(AWKWARD))).isEqualTo(AWKWARD);
        assertThat(JsonStrings.readAll(JsonStrings.write(AWKWARD))).isEqualTo(AWKWARD);
        assertThat(JsonStrings.readAll(" [ \"a\" , \"\\u00e9\" ] ")).containsExactly("a", "é");
        assertThat(JsonStrings.tags(List.of())).isNull();
        assertThat(JsonStrings.readAll("[]")).isEmpty();
        AWKWARD.forEach(text ->
                assertThat(JsonStrings.read(jackson.writeValueAsString(text))).isEqualTo(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "]",
                "[\"a\"",
                "[\"a\",]",
                "[,]",
                "[1]",
                "[null]",
                "{}",
                "\"a\"",
                "[\"a\"] x",
                "[\"\\x\"]",
                "[\"\\u12\"]",
                "[\"\\u12g4\"]",
                "[\"a\nb\"]",
                "[\"a"
            })
    void refusesWhatIsNoListOfStrings(String json) {
        assertThatThrownBy(() -> JsonStrings.readAll(json)).isInstanceOf(IllegalArgumentException.class);
    }
}
