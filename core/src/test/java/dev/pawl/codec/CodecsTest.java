package dev.pawl.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.time.Duration;
import java.time.Month;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Both codecs write the same JSON and can read each other's. */
class CodecsTest {
    record Pair(PayloadCodec writer, PayloadCodec reader) {}

    static Stream<Pair> pairs() {
        List<PayloadCodec> codecs = List.of(new JacksonCodec(), new Jackson2Codec());
        return codecs.stream().flatMap(writer -> codecs.stream().map(reader -> new Pair(writer, reader)));
    }

    record Meeting(
            ZonedDateTime at,
            Duration length,
            @JsonAlias("place") String room,
            int seats) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Dot.class, name = "dot")
    })
    sealed interface Shape permits Circle, Dot {}

    record Circle(double radius) implements Shape {}

    record Dot() implements Shape {}

    @ParameterizedTest
    @MethodSource("pairs")
    void typesKeepTheirArgumentsTimesTheirZoneAndSealedTypesTheirKind(Pair pair) {
        same(pair, List.of(1L, 2L), new TypeToken<List<Long>>() {});
        same(pair, Map.of("a", List.of(new Circle(1))), new TypeToken<Map<String, List<Circle>>>() {});
        same(pair, List.of(new Circle(2), new Dot()), new TypeToken<List<Shape>>() {});
        same(pair, new Circle(3), TypeToken.of(Shape.class));
        same(
                pair,
                new Meeting(
                        ZonedDateTime.parse("2030-03-31T01:30+01:00[Europe/Berlin]"), Duration.ofMinutes(90), "A", 4),
                TypeToken.of(Meeting.class));
    }

    private static <T> void same(Pair pair, T payload, TypeToken<T> type) {
        assertThat(pair.reader.decode(pair.writer.encode(payload, type), type)).isEqualTo(payload);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void olderAndNewerProgramsCanReadEachOthersJobs(Pair pair) {
        TypeToken<Meeting> type = TypeToken.of(Meeting.class);
        Meeting read = pair.reader.decode("{\"seats\":3,\"place\":\"B\",\"added\":[1]}", type);
        assertThat(read).extracting(Meeting::room, Meeting::at, Meeting::seats).containsExactly("B", null, 3);
        assertThat(pair.reader.decode("{}", type).seats()).isZero();
        assertThatThrownBy(() -> pair.reader.decode("{\"seats\":\"many\"}", type))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContainingAll("Meeting", "many", "seats");
    }

    enum Level {
        HIGH;

        @Override
        public String toString() {
            return "the highest";
        }
    }

    record Trip(String to, int seats, String from, Level level, Month month) {}

    /** A bean whose collection has no setter. */
    static final class Basket {
        private final List<String> items = new ArrayList<>();

        public List<String> getItems() {
            return items;
        }
    }

    /** Regression: Jackson 3 sorts properties, writes enums by their texts, and refuses a null for a number. */
    @Test
    void bothGenerationsWriteTheSameText() {
        TypeToken<Trip> type = TypeToken.of(Trip.class);
        Trip trip = new Trip("Rome", 2, "Oslo", Level.HIGH, Month.MARCH);
        String text = "{\"to\":\"Rome\",\"seats\":2,\"from\":\"Oslo\",\"level\":\"HIGH\",\"month\":\"MARCH\"}";
        for (PayloadCodec codec : List.of(new JacksonCodec(), new Jackson2Codec())) {
            assertThat(codec.encode(trip, type)).isEqualTo(text);
            assertThat(codec.decode(text, type)).isEqualTo(trip);
            assertThat(codec.decode("{\"seats\":null}", type).seats()).isZero();
            assertThat(codec.decode("{\"items\":[\"a\"]}", TypeToken.of(Basket.class))
                            .getItems())
                    .containsExactly("a");
        }
    }

    @Test
    void theMapperOfTheApplicationIsUsed() {
        PayloadCodec codec = new JacksonCodec(JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                .build());
        assertThat(codec.encode(new Circle(1), TypeToken.of(Circle.class))).contains("\"Radius\"");
        PayloadCodec older = new Jackson2Codec(new com.fasterxml.jackson.databind.ObjectMapper()
                .setPropertyNamingStrategy(com.fasterxml.jackson.databind.PropertyNamingStrategies.UPPER_CAMEL_CASE));
        assertThat(older.encode(new Circle(1), TypeToken.of(Circle.class))).contains("\"Radius\"");
    }

    @Test
    void tokensAreEqualByTypeAndRefuseInvalidTypes() {
        assertThat(new TypeToken<List<Long>>() {})
                .isEqualTo(new TypeToken<List<Long>>() {})
                .hasSameHashCodeAs(new TypeToken<List<Long>>() {})
                .isNotEqualTo(new TypeToken<List<Integer>>() {})
                .hasToString("java.util.List<java.lang.Long>");
        assertThat(TypeToken.of(String.class)).isEqualTo(new TypeToken<String>() {});
        assertThatThrownBy(CodecsTest::<String>variable)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("complete type");
    }

    private static <T> TypeToken<T> variable() {
        return new TypeToken<T>() {};
    }
}
