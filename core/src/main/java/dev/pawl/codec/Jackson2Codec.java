package dev.pawl.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Encodes payloads as JSON with Jackson 2. Needs {@code com.fasterxml.jackson.core:jackson-databind} 2.15 or newer, and
 * {@code jackson-datatype-jsr310} for {@code java.time}. Compatible with {@link JacksonCodec} in both directions.
 * Thread-safe.
 */
public final class Jackson2Codec implements PayloadCodec {
    private final ObjectMapper mapper;
    /** Bounded by the number of payload types of the program. */
    private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();

    private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

    /** Creates a codec with a mapper of its own, configured like that of {@link JacksonCodec#JacksonCodec()}. */
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
     * Creates a codec with the application's mapper. The mapper should ignore unknown properties. Otherwise jobs fail on older workers
     * during a rolling deployment that adds a property.
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
        ObjectWriter known = writers.get(type); // a get takes no lock, unlike computeIfAbsent
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
