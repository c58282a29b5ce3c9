package dev.pawl.importer;

import dev.pawl.importer.SerializedJava.Bytes;
import dev.pawl.importer.SerializedJava.Constant;
import dev.pawl.importer.SerializedJava.Instance;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts serialized Java to JSON values: strings, numbers, booleans, constants by name, moments and durations in ISO 8601, lists, maps,
 * and objects that consist only of their fields. Everything else is refused, and the message names its class.
 */
final class JavaValues {
    private static final int DEEPEST = 50;
    private static final Set<String> BOXES = Set.of(
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.lang.Byte",
            "java.lang.Double",
            "java.lang.Float",
            "java.lang.Boolean",
            "java.lang.Character");
    private static final Set<String> MAPS =
            Set.of("java.util.HashMap", "java.util.LinkedHashMap", "java.util.Hashtable", "java.util.Properties");
    private static final Set<String> LISTS = Set.of("java.util.ArrayList", "java.util.LinkedList", "java.util.HashSet");

    private JavaValues() {}

    static @Nullable Object of(@Nullable Object read) {
        return of(read, 0);
    }

    private static @Nullable Object of(@Nullable Object read, int depth) {
        if (depth > DEEPEST) {
            throw new RefusedException("its data is nested more than " + DEEPEST + " deep, or contains itself");
        }
        if (read instanceof Constant constant) {
            return constant.name();
        }
        if (read instanceof List<?> list) {
            return items(list, depth);
        }
        if (read instanceof Bytes) {
            throw new RefusedException("its serialized data is not an object");
        }
        return read instanceof Instance instance ? of(instance, depth) : read;
    }

    private static @Nullable Object of(Instance instance, int depth) {
        String type = instance.type();
        if (BOXES.contains(type)) {
            return instance.fields().get("value");
        }
        if (MAPS.contains(type)) {
            return map(entries(instance), depth);
        }
        if (LISTS.contains(type)) {
            return items(entries(instance), depth);
        }
        return switch (type) {
            case "java.util.CollSer" -> immutable(instance, depth);
            case "java.util.Date", "java.sql.Timestamp" -> date(instance);
            case "java.util.UUID" ->
                new UUID(number(instance, "mostSigBits"), number(instance, "leastSigBits")).toString();
            case "java.time.Ser" -> time(instance);
            default -> fields(instance, depth);
        };
    }

    private static long number(Instance instance, String field) {
        return instance.fields().get(field) instanceof Long number ? number : 0;
    }

    /** Returns the fields of an object. Refuses JDK classes, and classes that write further data in writeObject. */
    private static Map<String, @Nullable Object> fields(Instance instance, int depth) {
        if (!instance.written().isEmpty()
                || instance.type().startsWith("java.")
                || instance.type().startsWith("javax.")
                || instance.type().startsWith("jdk.")) {
            throw new RefusedException("its data holds a " + instance.type() + ", which has no form in JSON");
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        instance.fields().forEach((name, value) -> fields.put(name, of(value, depth + 1)));
        return fields;
    }

    /** Returns the entries of a collection, without the bytes that encode its size. */
    private static List<@Nullable Object> entries(Instance instance) {
        return instance.written().stream()
                .filter(each -> !(each instanceof Bytes))
                .collect(ArrayList::new, List::add, List::addAll);
    }

    private static List<@Nullable Object> items(List<?> list, int depth) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Object each : list) {
            items.add(of(each, depth + 1));
        }
        return items;
    }

    private static Map<String, @Nullable Object> map(List<@Nullable Object> entries, int depth) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i + 1 < entries.size(); i += 2) {
            if (!(of(entries.get(i), depth + 1) instanceof String key)) {
                throw new RefusedException("its data holds a map whose keys are not texts");
            }
            map.put(key, of(entries.get(i + 1), depth + 1));
        }
        return map;
    }

    /** Converts a collection of List.of and the like, by its tag: 1 is a list, 2 a set, 3 a map. */
    private static Object immutable(Instance instance, int depth) {
        boolean map = instance.fields().get("tag") instanceof Integer tag && (tag & 0xFF) == 3;
        List<@Nullable Object> entries = entries(instance);
        return map ? map(entries, depth) : items(entries, depth);
    }

    /** Returns the bytes that an object's writeObject has written first. */
    private static DataInputStream first(Instance instance) {
        if (instance.written().isEmpty() || !(instance.written().get(0) instanceof Bytes block)) {
            throw new RefusedException("its data holds a damaged " + instance.type());
        }
        return new DataInputStream(new ByteArrayInputStream(block.bytes()));
    }

    private static String date(Instance instance) {
        try {
            return Instant.ofEpochMilli(first(instance).readLong()).toString();
        } catch (IOException e) {
            throw new RefusedException("its data holds a damaged " + instance.type());
        }
    }

    private static String time(Instance instance) {
        try {
            DataInputStream block = first(instance);
            int what = block.readByte();
            return switch (what) {
                case 1 -> Duration.ofSeconds(block.readLong(), block.readInt()).toString();
                case 2 ->
                    Instant.ofEpochSecond(block.readLong(), block.readInt()).toString();
                case 7 -> block.readUTF();
                default ->
                    throw new RefusedException(
                            "its data holds a java.time value that is not an Instant, Duration or ZoneId");
            };
        } catch (IOException e) {
            throw new RefusedException("its data holds a damaged java.time value");
        }
    }
}
