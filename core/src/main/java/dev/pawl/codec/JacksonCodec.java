package dev.pawl.codec;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.lang.reflect.Type;
import java.time.Month;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Encodes payloads as JSON with Jackson 3. Needs {@code tools.jackson.core:jackson-databind}, any 3.x, and the
 * {@code jackson-annotations} on which it depends. Thread-safe.
 */
public final class JacksonCodec implements PayloadCodec {
    private final ObjectMapper mapper;
    /** Bounded by the number of payload types of the program. */
    private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();

    private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

    /**
     * Creates a codec with a mapper of its own. The mapper ignores unknown properties, so that older workers can read payloads of newer
     * programs. A missing or null property of a primitive type is read as zero. Times keep their zone, and a {@link Month} is written by
     * its name. Modules on the class path (Kotlin, for example) are registered. The mapper writes slashes unescaped, like {@link
     * Jackson2Codec}, and has a buffer for each thread, because handlers would contend for a common pool.
     */
    public JacksonCodec() {
        this(JsonMapper.builder(JsonFactory.builder()
                        .recyclerPool(JsonRecyclerPools.threadLocalPool())
                        .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
                        .build())
                .addModule(new SimpleModule().addSerializer(Month.class, ToStringSerializer.instance)) // else a number
                .addModules(JsonMapper.Builder.findModules(JacksonCodec.class.getClassLoader()))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
                .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
                .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .build());
    }

    /**
     * Creates a codec with the application's mapper. The mapper should ignore unknown properties. Otherwise jobs fail on older workers
     * during a rolling deployment that adds a property.
     *
     * @param mapper used as it is
     */
    public JacksonCodec(ObjectMapper mapper) {
        this.mapper = Objects.requireNonNull(mapper, "mapper");
    }

    @Override
    public <T> String encode(T payload, TypeToken<T> type) {
        try {
            return writer(type.type()).writeValueAsString(payload);
        } catch (JacksonException e) {
            throw new InvalidJobException(
                    "a payload of type " + type + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    private ObjectWriter writer(Type type) {
        ObjectWriter known = writers.get(type); // a get takes no lock, unlike computeIfAbsent
        return known != null ? known : writers.computeIfAbsent(type, t -> mapper.writerFor(mapper.constructType(t)));
    }

    private static String where(JacksonException e) {
        return e.getPath().isEmpty() ? "" : " at " + e.getPathReference();
    }

    private ObjectReader reader(Type type) {
        ObjectReader known = readers.get(type); // a get takes no lock, unlike computeIfAbsent
        return known != null ? known : readers.computeIfAbsent(type, t -> mapper.readerFor(mapper.constructType(t)));
    }

    @Override
    public <T> T decode(String text, TypeToken<T> type) {
        try {
            return reader(type.type()).readValue(text);
        } catch (JacksonException e) {
            throw new InvalidJobException(
                    "the payload cannot be read as " + type + ": " + e.getOriginalMessage() + where(e), e);
        }
    }
}
