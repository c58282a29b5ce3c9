package dev.pawl.cli.importer;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON as it comes and as it goes. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS) // 0.1 stays what it is
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    static String write(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** {@return a text as JSON; null if it is none} */
    static @Nullable JsonNode read(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node.isMissingNode() ? null : node;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** {@return bytes as UTF-8; null if they are something else} */
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

    /** {@return the text of a member; empty if there is none} */
    static String member(JsonNode node, String name) {
        return node.path(name).asString("");
    }
}
