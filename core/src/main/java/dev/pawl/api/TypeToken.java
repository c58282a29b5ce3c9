package dev.pawl.api;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Objects;

/**
 * A Java type with its type arguments, which a {@link Class} cannot hold. Write {@code new TypeToken<List<Long>>() {}},
 * with braces, for a generic payload; {@link #of} for a plain class. Immutable; tokens of the same type are equal.
 *
 * @param <T> the type
 */
public abstract class TypeToken<T> {
    private final Type type;

    /**
     * Reads the type from the anonymous subclass that the braces create.
     *
     * @throws IllegalArgumentException if the type argument is missing or is itself a type variable
     */
    protected TypeToken() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)
                || parent.getRawType() != TypeToken.class
                || parent.getActualTypeArguments()[0] instanceof TypeVariable) {
            throw new IllegalArgumentException("a TypeToken needs a complete type: new TypeToken<List<Long>>() {}");
        }
        this.type = parent.getActualTypeArguments()[0];
    }

    private TypeToken(Type type) {
        this.type = Objects.requireNonNull(type, "type");
    }

    /**
     * Returns the token of a class.
     *
     * @param type a class without type parameters
     * @param <T> that class
     * @return its token
     */
    public static <T> TypeToken<T> of(Class<T> type) {
        return new Plain<>(type);
    }

    /**
     * Returns the token of a type that a framework has found by reflection.
     *
     * @param type a class, or a parameterized type without type variables
     * @return its token
     * @throws IllegalArgumentException if it is a type variable or a wildcard, which cannot be decoded
     */
    public static TypeToken<?> ofType(Type type) {
        if (type instanceof TypeVariable || type instanceof WildcardType) {
            throw new IllegalArgumentException(
                    "'" + type + "' is not a complete type: a payload needs one, such as a record");
        }
        return new Plain<>(type);
    }

    /** {@return the type for reflection} */
    public final Type type() {
        return type;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof TypeToken<?> token && token.type.equals(type);
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    /** {@return the type's name, as {@link Type#getTypeName} returns it} */
    @Override
    public final String toString() {
        return type.getTypeName();
    }

    private static final class Plain<T> extends TypeToken<T> {
        Plain(Type type) {
            super(type);
        }
    }
}
