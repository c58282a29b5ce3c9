package dev.pawl.internal.enqueue;

import dev.pawl.internal.jdbc.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The SQL that creates the functions for enqueuing by SQL alone. An operator runs it, because not every user may create functions. */
public final class EnqueueSql {
    private EnqueueSql() {}

    /**
     * @param dialect the product
     * @return the statements that create the functions
     */
    public static List<String> statements(Dialect dialect) {
        String name = "/dev/pawl/sql/" + dialect.product() + ".sql";
        try (InputStream text = EnqueueSql.class.getResourceAsStream(name)) {
            if (text == null) {
                throw new IllegalStateException("the library lacks its file " + name + ": build it again");
            }
            String all = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(all.split("(?m)^;;$", -1))
                    .map(String::strip)
                    .map(each -> dialect.sql(each.replace("MOST_BYTES", Integer.toString(PayloadLimit.MAX_BYTES)))
                            .replace("'CHANNEL'", "'" + dialect.channel() + "'")) // after the tables were named
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
