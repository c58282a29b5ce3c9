package dev.pawl.importer;

import dev.pawl.importer.SerializedJava.Instance;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The data of a Quartz job or trigger: properties as text, or serialized Java. */
final class QuartzData {
    private QuartzData() {}

    /** {@return the data of a job and its trigger as JSON; the trigger's values take precedence} */
    static String merged(byte @Nullable [] job, byte @Nullable [] trigger) {
        Map<String, @Nullable Object> all = new TreeMap<>(read(job));
        all.putAll(read(trigger));
        return Json.write(all);
    }

    private static Map<String, @Nullable Object> read(byte @Nullable [] data) {
        if (data == null || data.length == 0) {
            return Map.of();
        }
        if (!SerializedJava.is(data)) {
            return properties(data);
        }
        Object read = SerializedJava.read(data);
        Object values = JavaValues.of(
                read instanceof Instance map && map.fields().containsKey("map")
                        ? map.fields().get("map") // wrapped in a JobDataMap
                        : read);
        if (!(values instanceof Map<?, ?> map)) {
            throw new RefusedException("its data is not a map");
        }
        Map<String, @Nullable Object> texts = new TreeMap<>();
        map.forEach((name, value) -> texts.put(String.valueOf(name), value));
        return texts;
    }

    private static Map<String, @Nullable Object> properties(byte[] data) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(new String(data, StandardCharsets.ISO_8859_1)));
        } catch (IOException | IllegalArgumentException e) {
            throw new RefusedException("its data is neither properties nor serialized Java");
        }
        Map<String, @Nullable Object> texts = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> texts.put(name, properties.getProperty(name)));
        return texts;
    }
}
