package dev.pawl.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
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

    @Test
    void writesAndReadsObjectsOfStringsAsJacksonDoes() {
        JsonMapper jackson = JsonMapper.builder().build();
        Map<String, String> map = new TreeMap<>();
        AWKWARD.forEach(text -> map.put(text, text + "!"));
        assertThat(jackson.readValue(JsonStrings.write(map), new TypeReference<Map<String, String>>() {}))
                .isEqualTo(map);
        assertThat(JsonStrings.readMap(jackson.writeValueAsString(map))).isEqualTo(map);
        assertThat(JsonStrings.readMap(" { \"a\" : \"\\u00e9\" , \"b\":\"\" } "))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", "é", "b", ""));
        assertThat(JsonStrings.readMap("{}")).isEmpty();
        assertThat(JsonStrings.headers(Map.of())).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1}", "{\"a\":\"b\",}", "[]", "{\"a\":\"b\"} x"})
    void refusesWhatIsNoObjectOfStrings(String json) {
        assertThatThrownBy(() -> JsonStrings.readMap(json)).isInstanceOf(IllegalArgumentException.class);
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
