// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import svc.client.OrNull;

/**
 * {@code PiiSettings} in an answer or request. Made by {@link #builder()}.
 *
 * @param enabled Whether the detector runs. {@code null} where it is absent.
 * @param appliesTo Which texts are read: input and output messages, context items, tool results and
 *     arguments. {@code null} where it is absent.
 * @param flagAt Findings of a lower score are dropped. {@code null} where it is absent.
 * @param blockAt Score from which findings block; null: never. May be {@code null}.
 * @param action ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
 *     inference is blocked. {@code null} where it is absent.
 * @param entities Actions by type of personal data, in place of {@code action} and {@code block_at}. {@code
 *     null} where it is absent.
 */
public record PiiSettings(
    Boolean enabled,
    @JsonProperty("applies_to") List<String> appliesTo,
    @JsonProperty("flag_at") Double flagAt,
    @JsonProperty("block_at") OrNull<Double> blockAt,
    String action,
    Entities entities) {
  /** Keeps copies of lists and maps that do not change. */
  public PiiSettings {
    appliesTo = Fixed.copyOf(appliesTo);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.enabled = enabled;
    builder.appliesTo = appliesTo;
    builder.flagAt = flagAt;
    builder.blockAt = blockAt;
    builder.action = action;
    builder.entities = entities;
    return builder;
  }

  /** Sets members of {@link PiiSettings}. Not for use by more than one thread. */
  public static final class Builder {
    private Boolean enabled;
    private List<String> appliesTo;
    private Double flagAt;
    private OrNull<Double> blockAt;
    private String action;
    private Entities entities;

    private Builder() {}

    /** Whether the detector runs. */
    public Builder enabled(boolean value) {
      enabled = value;
      return this;
    }

    /** Which texts are read: input and output messages, context items, tool results and arguments. */
    public Builder appliesTo(List<String> value) {
      appliesTo = value;
      return this;
    }

    /** Findings of a lower score are dropped. */
    public Builder flagAt(double value) {
      flagAt = value;
      return this;
    }

    /** Score from which findings block; null: never. */
    public Builder blockAt(double value) {
      blockAt = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code block_at}, which is not the same as leaving it out. */
    public Builder clearBlockAt() {
      blockAt = OrNull.none();
      return this;
    }

    /**
     * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
     * is blocked.
     */
    public Builder action(String value) {
      action = value;
      return this;
    }

    /** Actions by type of personal data, in place of {@code action} and {@code block_at}. */
    public Builder entities(Entities value) {
      entities = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PiiSettings build() {
      return new PiiSettings(
          enabled,
          appliesTo,
          flagAt,
          blockAt,
          action,
          entities);
    }
  }

  /**
   * {@code Entities} in an answer or request. Made by {@link #builder()}.
   *
   * @param email ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param phone ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param creditCard ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param iban ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param bankAccount ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param usSsn ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param usItin ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param usEin ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param nationalId ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param passport ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param driverLicense ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param medicalRecord ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param vehicleId ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param dateOfBirth ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param ipAddress ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param macAddress ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param geoCoordinates ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param cryptoWallet ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param username ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param address ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param person ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param location ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param organization ignore: no finding. flag: reported. redact: reported and replaced in the answer.
   *     block: the inference is blocked. {@code null} where it is absent.
   * @param dateTime ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param age ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param title ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param nrp ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param domain ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param zipCode ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   */
  public record Entities(
      String email,
      String phone,
      @JsonProperty("credit_card") String creditCard,
      String iban,
      @JsonProperty("bank_account") String bankAccount,
      @JsonProperty("us_ssn") String usSsn,
      @JsonProperty("us_itin") String usItin,
      @JsonProperty("us_ein") String usEin,
      @JsonProperty("national_id") String nationalId,
      String passport,
      @JsonProperty("driver_license") String driverLicense,
      @JsonProperty("medical_record") String medicalRecord,
      @JsonProperty("vehicle_id") String vehicleId,
      @JsonProperty("date_of_birth") String dateOfBirth,
      @JsonProperty("ip_address") String ipAddress,
      @JsonProperty("mac_address") String macAddress,
      @JsonProperty("geo_coordinates") String geoCoordinates,
      @JsonProperty("crypto_wallet") String cryptoWallet,
      String username,
      String address,
      String person,
      String location,
      String organization,
      @JsonProperty("date_time") String dateTime,
      String age,
      String title,
      String nrp,
      String domain,
      @JsonProperty("zip_code") String zipCode) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.email = email;
      builder.phone = phone;
      builder.creditCard = creditCard;
      builder.iban = iban;
      builder.bankAccount = bankAccount;
      builder.usSsn = usSsn;
      builder.usItin = usItin;
      builder.usEin = usEin;
      builder.nationalId = nationalId;
      builder.passport = passport;
      builder.driverLicense = driverLicense;
      builder.medicalRecord = medicalRecord;
      builder.vehicleId = vehicleId;
      builder.dateOfBirth = dateOfBirth;
      builder.ipAddress = ipAddress;
      builder.macAddress = macAddress;
      builder.geoCoordinates = geoCoordinates;
      builder.cryptoWallet = cryptoWallet;
      builder.username = username;
      builder.address = address;
      builder.person = person;
      builder.location = location;
      builder.organization = organization;
      builder.dateTime = dateTime;
      builder.age = age;
      builder.title = title;
      builder.nrp = nrp;
      builder.domain = domain;
      builder.zipCode = zipCode;
      return builder;
    }

    /** Sets members of {@link Entities}. Not for use by more than one thread. */
    public static final class Builder {
      private String email;
      private String phone;
      private String creditCard;
      private String iban;
      private String bankAccount;
      private String usSsn;
      private String usItin;
      private String usEin;
      private String nationalId;
      private String passport;
      private String driverLicense;
      private String medicalRecord;
      private String vehicleId;
      private String dateOfBirth;
      private String ipAddress;
      private String macAddress;
      private String geoCoordinates;
      private String cryptoWallet;
      private String username;
      private String address;
      private String person;
      private String location;
      private String organization;
      private String dateTime;
      private String age;
      private String title;
      private String nrp;
      private String domain;
      private String zipCode;

      private Builder() {}

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder email(String value) {
        email = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder phone(String value) {
        phone = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder creditCard(String value) {
        creditCard = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder iban(String value) {
        iban = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder bankAccount(String value) {
        bankAccount = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder usSsn(String value) {
        usSsn = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder usItin(String value) {
        usItin = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder usEin(String value) {
        usEin = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder nationalId(String value) {
        nationalId = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder passport(String value) {
        passport = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder driverLicense(String value) {
        driverLicense = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder medicalRecord(String value) {
        medicalRecord = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder vehicleId(String value) {
        vehicleId = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder dateOfBirth(String value) {
        dateOfBirth = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder ipAddress(String value) {
        ipAddress = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder macAddress(String value) {
        macAddress = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder geoCoordinates(String value) {
        geoCoordinates = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder cryptoWallet(String value) {
        cryptoWallet = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder username(String value) {
        username = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder address(String value) {
        address = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder person(String value) {
        person = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder location(String value) {
        location = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder organization(String value) {
        organization = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder dateTime(String value) {
        dateTime = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder age(String value) {
        age = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder title(String value) {
        title = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder nrp(String value) {
        nrp = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder domain(String value) {
        domain = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder zipCode(String value) {
        zipCode = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Entities build() {
        return new Entities(
            email,
            phone,
            creditCard,
            iban,
            bankAccount,
            usSsn,
            usItin,
            usEin,
            nationalId,
            passport,
            driverLicense,
            medicalRecord,
            vehicleId,
            dateOfBirth,
            ipAddress,
            macAddress,
            geoCoordinates,
            cryptoWallet,
            username,
            address,
            person,
            location,
            organization,
            dateTime,
            age,
            title,
            nrp,
            domain,
            zipCode);
      }
    }
  }
}
