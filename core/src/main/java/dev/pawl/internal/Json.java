package dev.pawl.internal;

import dev.pawl.InvalidJobException;
import dev.pawl.PayloadCodec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3: the default codec, and the lists of tags. */
public final class Json implements PayloadCodec {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            // A newer program may have added a field; an older worker in a rolling deploy must still read the job.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    @Override
    public String encode(Object payload) {
        try {
            return MAPPER.writeValueAsString(payload);
        } catch (JacksonException e) {
            throw new InvalidJobException(
                    "a payload of " + payload.getClass().getName() + " cannot be written as JSON: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public <T> T decode(String text, Class<T> type) {
        try {
            return MAPPER.readValue(text, type);
        } catch (JacksonException e) {
            throw new InvalidJobException(
                    "the payload cannot be read as " + type.getName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /** {@return the JSON array of the tags; null for none} */
    public static @Nullable String tags(List<String> tags) {
        return tags.isEmpty() ? null : MAPPER.writeValueAsString(tags);
    }

    /** {@return the strings of a JSON array} */
    public static List<String> strings(String json) {
        return Arrays.asList(MAPPER.readValue(json, String[].class));
    }
}
