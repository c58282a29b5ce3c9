package dev.pawl.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pawl.InvalidJobException;
import dev.pawl.PayloadCodec;
import dev.pawl.TypeToken;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * JSON by Jackson 2. Needs {@code com.fasterxml.jackson.core:jackson-databind}, 2.15 or newer; for {@code java.time}
 * also {@code jackson-datatype-jsr310}. It reads what {@link JacksonCodec} has written, and vice versa. Thread-safe.
 */
public final class Jackson2Codec implements PayloadCodec {
    private final ObjectMapper mapper;
    /** As many as the program has types of payloads. */
    private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();

    private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

    /** With a mapper of its own, set up like that of {@link JacksonCodec#JacksonCodec()}. */
    public Jackson2Codec() {
        this(JsonMapper.builder()
                .addModules(ObjectMapper.findModules(Jackson2Codec.class.getClassLoader()))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .build());
    }

    /**
     * With the application's mapper. It should ignore unknown properties, or a rolling deployment that adds a property
     * fails the jobs that older workers get.
     *
     * @param mapper used as it is; must not be changed afterwards
     */
    public Jackson2Codec(ObjectMapper mapper) {
        this.mapper = Objects.requireNonNull(mapper, "mapper");
    }

    @Override
    public <T> String encode(T payload, TypeToken<T> type) {
        try {
            return writer(type.type()).writeValueAsString(payload);
        } catch (JsonProcessingException e) {
            throw new InvalidJobException(
                    "a payload of type " + type + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    private ObjectWriter writer(Type type) {
        ObjectWriter known = writers.get(type); // which takes no lock, as the other may
        return known != null ? known : writers.computeIfAbsent(type, t -> mapper.writerFor(mapper.constructType(t)));
    }

    private static String where(JsonProcessingException e) {
        return e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
                ? " at " + mapping.getPathReference()
                : "";
    }

    @Override
    public <T> T decode(String text, TypeToken<T> type) {
        try {
            return readers.computeIfAbsent(type.type(), t -> mapper.readerFor(mapper.constructType(t)))
                    .readValue(text);
        } catch (JsonProcessingException e) {
            throw new InvalidJobException(
                    "the payload cannot be read as " + type + ": " + e.getOriginalMessage() + where(e), e);
        }
    }
}
