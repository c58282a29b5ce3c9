package dev.pawl.importer;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses serialized Java as data: class names, fields and bytes. No class is loaded and no object is created, so nothing in a stream can
 * execute code, and the peer's classes are not needed. Confined to one thread.
 */
final class SerializedJava {
    private static final int MAGIC = 0xACED0005;
    private static final int DEEPEST = 100;
    private static final int LARGEST = 16 * 1024 * 1024;

    private static final int NULL = 0x70;
    private static final int REFERENCE = 0x71;
    private static final int CLASS = 0x72;
    private static final int OBJECT = 0x73;
    private static final int STRING = 0x74;
    private static final int ARRAY = 0x75;
    private static final int BLOCK = 0x77;
    private static final int END = 0x78;
    private static final int LONG_BLOCK = 0x7A;
    private static final int LONG_STRING = 0x7C;
    private static final int ENUM = 0x7E;
    private static final int FIRST_HANDLE = 0x7E0000;

    private static final int WRITES_ITSELF = 1;
    private static final int SERIALIZABLE = 2;
    private static final int EXTERNALIZABLE = 4;
    private static final int IN_BLOCKS = 8;

    /** Marks the end of a block. */
    private static final Object THE_END = new Object();

    private final DataInputStream in;
    /** Objects in the order in which they were written: the stream refers to earlier ones by number. */
    private final List<@Nullable Object> handles = new ArrayList<>();

    private int depth;

    private SerializedJava(byte[] bytes) {
        in = new DataInputStream(new ByteArrayInputStream(bytes));
    }

    /**
     * An object.
     *
     * @param type the name of its class
     * @param fields of its class and superclasses
     * @param written by writeObject, in order: bytes, strings, instances; null stays null
     */
    record Instance(String type, Map<String, @Nullable Object> fields, List<@Nullable Object> written) {}

    /** A constant of an enum. */
    record Constant(String type, String name) {}

    /** Bytes written by an object's writeObject. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Bytes(byte[] bytes) {}

    private record Field(char type, String name) {}

    private record Described(
            String name,
            int flags,
            List<Field> fields,
            @Nullable Described above) {}

    /** {@return whether the bytes begin like serialized Java} */
    static boolean is(byte[] bytes) {
        return bytes.length > 4 && (bytes[0] & 0xFF) == 0xAC && (bytes[1] & 0xFF) == 0xED;
    }

    /**
     * {@return a string, number, boolean, {@link Instance}, {@link Constant} or list, or null}
     *
     * @throws RefusedException if the stream is truncated, or contains elements that are not data
     */
    static @Nullable Object read(byte[] bytes) {
        SerializedJava stream = new SerializedJava(bytes);
        try {
            if (bytes.length > LARGEST || stream.in.readInt() != MAGIC) {
                throw new RefusedException("its data is not serialized Java, or is more than 16 MB");
            }
            return stream.content();
        } catch (EOFException e) {
            throw new RefusedException("its serialized Java ends in the middle");
        } catch (IOException e) {
            throw new RefusedException("its serialized Java cannot be read: " + e.getMessage());
        }
    }

    private @Nullable Object content() throws IOException {
        if (++depth > DEEPEST) {
            throw new RefusedException("its serialized Java is nested more than " + DEEPEST + " deep");
        }
        try {
            return content(in.readUnsignedByte());
        } finally {
            depth--;
        }
    }

    private @Nullable Object content(int what) throws IOException {
        return switch (what) {
            case NULL -> null;
            case REFERENCE -> handle();
            case OBJECT -> object();
            case STRING -> remembered(in.readUTF());
            case ARRAY -> array();
            case BLOCK -> new Bytes(in.readNBytes(in.readUnsignedByte()));
            case LONG_BLOCK -> new Bytes(in.readNBytes(length(in.readInt())));
            case LONG_STRING -> remembered(longText());
            case ENUM -> constant();
            case END -> THE_END;
            default -> throw new RefusedException("its serialized Java holds more than data (code " + what + ")");
        };
    }

    private int length(long length) {
        if (length < 0 || length > LARGEST) {
            throw new RefusedException("its serialized Java names a length of " + length);
        }
        return (int) length;
    }

    private String longText() throws IOException {
        byte[] bytes = in.readNBytes(length(in.readLong()));
        byte[] framed = new byte[bytes.length + 2];
        if (bytes.length > 0xFFFF) { // too long for readUTF; plain UTF-8 differs only in rare characters
            return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
        }
        framed[0] = (byte) (bytes.length >>> 8);
        framed[1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, framed, 2, bytes.length);
        return new DataInputStream(new ByteArrayInputStream(framed)).readUTF();
    }

    private <T> T remembered(T value) {
        handles.add(value);
        return value;
    }

    private @Nullable Object handle() throws IOException {
        int number = in.readInt() - FIRST_HANDLE;
        if (number < 0 || number >= handles.size()) {
            throw new RefusedException("its serialized Java refers to something that is not there");
        }
        return handles.get(number);
    }

    private @Nullable Described described() throws IOException {
        int what = in.readUnsignedByte();
        if (what == NULL) {
            return null;
        }
        if (what == REFERENCE && handle() instanceof Described known) {
            return known;
        }
        if (what != CLASS) {
            throw new RefusedException("its serialized Java holds a proxy, or is damaged");
        }
        String name = in.readUTF();
        long unused = in.readLong(); // serialVersionUID
        int at = handles.size();
        handles.add(null);
        int flags = in.readUnsignedByte();
        List<Field> fields = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            char type = (char) in.readUnsignedByte();
            fields.add(new Field(type, in.readUTF()));
            if (type == 'L' || type == '[') {
                Object typeName = content();
                if (!(typeName instanceof String)) {
                    throw new RefusedException("its serialized Java is damaged");
                }
            }
        }
        List<@Nullable Object> annotations = untilEnd();
        if (!annotations.isEmpty()) {
            throw new RefusedException("its serialized Java says where to load classes from");
        }
        // the superclass follows; it does not refer to this class, so the handle may be set afterwards
        Described above = described();
        Described described = new Described(name, flags, List.copyOf(fields), above);
        handles.set(at, described);
        return described;
    }

    private Described required() throws IOException {
        Described described = described();
        if (described == null) {
            throw new RefusedException("its serialized Java is damaged");
        }
        return described;
    }

    private List<@Nullable Object> untilEnd() throws IOException {
        List<@Nullable Object> all = new ArrayList<>();
        for (Object each = content(); each != THE_END; each = content()) {
            all.add(each);
        }
        return all;
    }

    private Instance object() throws IOException {
        Described type = required();
        Instance instance = remembered(new Instance(type.name, new LinkedHashMap<>(), new ArrayList<>()));
        List<Described> line = new ArrayList<>();
        for (Described each = type; each != null; each = each.above) {
            line.add(0, each);
        }
        for (Described each : line) {
            if ((each.flags & EXTERNALIZABLE) != 0) {
                if ((each.flags & IN_BLOCKS) == 0) {
                    throw new RefusedException("only its own program can read a " + each.name);
                }
                instance.written.addAll(untilEnd());
            } else if ((each.flags & SERIALIZABLE) != 0) {
                for (Field field : each.fields) {
                    instance.fields.put(field.name, value(field.type));
                }
                if ((each.flags & WRITES_ITSELF) != 0) {
                    instance.written.addAll(untilEnd());
                }
            }
        }
        return instance;
    }

    private @Nullable Object value(char type) throws IOException {
        return switch (type) {
            case 'B' -> in.readByte();
            case 'C' -> String.valueOf(in.readChar());
            case 'D' -> in.readDouble();
            case 'F' -> in.readFloat();
            case 'I' -> in.readInt();
            case 'J' -> in.readLong();
            case 'S' -> in.readShort();
            case 'Z' -> in.readBoolean();
            case 'L', '[' -> content();
            default -> throw new RefusedException("its serialized Java is damaged");
        };
    }

    private List<@Nullable Object> array() throws IOException {
        String type = required().name;
        List<@Nullable Object> items = remembered(new ArrayList<>());
        for (int left = length(in.readInt()); left > 0; left--) {
            items.add(value(type.charAt(1)));
        }
        return items;
    }

    private Constant constant() throws IOException {
        String type = required().name;
        int at = handles.size();
        handles.add(null);
        if (!(content() instanceof String name)) {
            throw new RefusedException("its serialized Java is damaged");
        }
        Constant constant = new Constant(type, name);
        handles.set(at, constant);
        return constant;
    }
}
