package dev.pawl.importer;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes JSON. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS) // 0.1 keeps its decimal value
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    static String write(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** {@return a text parsed as JSON; null if it is not JSON} */
    static @Nullable JsonNode read(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node.isMissingNode() ? null : node;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** {@return bytes decoded as UTF-8; null if they are not valid} */
    static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** {@return the text of a member; empty if it is missing} */
    static String member(JsonNode node, String name) {
        return node.path(name).asString("");
    }
}
