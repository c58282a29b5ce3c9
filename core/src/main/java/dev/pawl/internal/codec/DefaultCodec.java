package dev.pawl.internal.codec;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import dev.pawl.codec.Jackson2Codec;
import dev.pawl.codec.JacksonCodec;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes payloads as JSON with the Jackson library on the class path, which is searched for when the first payload needs it. Each library
 * is tried out, because a platform may pin one of its dependencies to an incompatible version.
 */
public final class DefaultCodec implements PayloadCodec {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultCodec.class);

    private volatile @Nullable PayloadCodec found;

    @Override
    public <T> String encode(T payload, TypeToken<T> type) {
        return codec().encode(payload, type);
    }

    @Override
    public <T> T decode(String text, TypeToken<T> type) {
        return codec().decode(text, type);
    }

    PayloadCodec codec() {
        PayloadCodec codec = found;
        if (codec == null) {
            codec = find();
            found = codec; // another thread may have found the same codec
        }
        return codec;
    }

    private static PayloadCodec find() {
        // Lambdas, because constructor references would link both libraries here, outside the catch blocks.
        Trial three = Trial.of("Jackson 3", () -> new JacksonCodec());
        if (three.codec != null) {
            return three.codec;
        }
        Trial two = Trial.of("Jackson 2", () -> new Jackson2Codec());
        LOG.debug("payloads: {}; {}", three.result, two.result);
        return two.codec != null ? two.codec : new StringsOnly(three.result + "; " + two.result);
    }

    /** The sample by which a library is tried out. */
    record Sample(String text, List<Long> numbers) {}

    /** A working codec, or why it does not work. */
    private record Trial(@Nullable PayloadCodec codec, String result) {
        static Trial of(String name, Supplier<PayloadCodec> maker) {
            try {
                PayloadCodec codec = maker.get();
                TypeToken<Sample> type = TypeToken.of(Sample.class);
                Sample sample = new Sample("text", List.of(1L));
                return codec.decode(codec.encode(sample, type), type).equals(sample)
                        ? new Trial(codec, name + " works")
                        : new Trial(null, name + " does not read what it has written");
            } catch (NoClassDefFoundError missing) {
                return new Trial(
                        null,
                        name + " lacks " + String.valueOf(missing.getMessage()).replace('/', '.'));
            } catch (LinkageError | ServiceConfigurationError | RuntimeException broken) {
                return new Trial(null, name + " fails: " + broken);
            }
        }
    }

    /** The codec without Jackson: strings only, written as Jackson would write them. */
    private record StringsOnly(String why) implements PayloadCodec {
        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            if (payload instanceof String text && type.type() == String.class) {
                return JsonStrings.write(text);
            }
            throw refused(type);
        }

        @Override
        @SuppressWarnings("unchecked") // T is String
        public <T> T decode(String text, TypeToken<T> type) {
            if (type.type() != String.class) {
                throw refused(type);
            }
            try {
                return (T) JsonStrings.read(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidJobException("the payload cannot be read as a string: " + e.getMessage(), e);
            }
        }

        private InvalidJobException refused(TypeToken<?> type) {
            return new InvalidJobException("payloads of type " + type
                    + " need a JSON library: add tools.jackson.core:jackson-databind (3.x) or"
                    + " com.fasterxml.jackson.core:jackson-databind (2.x) to the class path, with the jackson-annotations"
                    + " that it asks for, or set JobQueueBuilder.codec(…). Found: " + why);
        }
    }
}
