package dev.pawl.internal.schema;

import dev.pawl.internal.jdbc.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The steps of the schema for one database, read from the program's resources. */
public final class Migrations {
    private static final String FOLDER = "/dev/pawl/migrations/";

    /** The names of the steps, in order, which are the same for every database; the position is the version. */
    private static final List<String> NAMES =
            read(FOLDER + "steps.txt").lines().filter(name -> !name.isBlank()).toList();

    private Migrations() {}

    /** {@return the newest version that this program knows} */
    public static int newest() {
        return NAMES.size();
    }

    /**
     * @param dialect tells the folder and the prefix
     * @return all steps, in order
     */
    public static List<Migration> of(Dialect dialect) {
        List<Migration> migrations = new ArrayList<>();
        for (int version = 1; version <= NAMES.size(); version++) {
            String name = NAMES.get(version - 1);
            String path = FOLDER + dialect.product() + "/V" + version + "__" + name + ".sql";
            migrations.add(new Migration(version, name, dialect.sql(read(path))));
        }
        return migrations;
    }

    /**
     * @param dialect tells the folder and the prefix
     * @return all steps one after the other, for any tool that runs SQL
     */
    public static String script(Dialect dialect) {
        StringBuilder script = new StringBuilder();
        of(dialect)
                .forEach(step -> script.append("-- Version ")
                        .append(step.version())
                        .append(": for Flyway, a file of your next number, such as V42__")
                        .append(step.name())
                        .append('_')
                        .append(step.version())
                        .append(".sql\n")
                        .append(step.script())
                        .append('\n'));
        return script.toString();
    }

    private static String read(String path) {
        try (InputStream in = Migrations.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: its resource " + path + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the program's resource " + path + " cannot be read", e);
        }
    }
}
